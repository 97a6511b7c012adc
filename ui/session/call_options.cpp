#include "ui/session/call_options.h"

#include <QString>
#include <QStringList>
#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/io/read_words.h"
#include "engine/join/backend_kinds.h"
#include "engine/join/strategy_options.h"
#include "ui/session/parameter_fields.h"

namespace clusterloom {

namespace {

using Written = std::optional<std::string>;
using CallPart = CallOption::Part;
using CallState = const SessionState&;
using CallText = const std::string&;

Written unlessEmpty(std::string text) {
  return text.empty() ? Written() : Written(std::move(text));
}

/// `text` where `holds`.
Written onlyIf(bool holds, std::string text = {}) {
  return holds ? Written(std::move(text)) : Written();
}

/// Stores the value that was read.
template <class T, class Target>
Result<void> store(Result<T> read, Target& target) {
  if (!read) return tl::unexpected(read.error());
  target = static_cast<Target>(std::move(*read));
  return {};
}

Result<void> named(const char* option, Result<void> read) {
  if (read) return read;
  return badCall(std::string(option) + ": " + read.error().message);
}

template <class Words>
std::string withCommas(const Words& words) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += ',';
    if constexpr (std::is_same_v<std::decay_t<decltype(word)>, std::string>)
      text += word;
    else if constexpr (std::is_floating_point_v<std::decay_t<decltype(word)>>)
      text += roundTripText(word);
    else
      text += std::to_string(word);
  }
  return text;
}

/// Where a call's options of runs go; those that it does not give are the defaults.
RunOptions& runOf(OpenRequest& open) { return open.run ? *open.run : open.run.emplace(); }

Result<void> readEps(CallText text, OpenRequest& open, EngineChoice& /*engine*/) {
  if (auto read = store(readNumber("--eps", text), open.eps); !read) return read;
  if (*open.eps > 0) return {};
  return badCall("--eps must be above 0");
}

Written scaleText(CallState state) {
  const ScalingChoice& scaling = state.parameters.scaling;
  if (scaling.kind == Scaling::Kind::Factors) return withCommas(scaling.factors);
  return onlyIf(scaling.kind != Scaling::Kind::None,
                wordsOf(scaling.kind)[static_cast<std::size_t>(scaling.kind)]);
}

Result<void> readGeographic(CallText text, OpenRequest& open, EngineChoice& /*engine*/) {
  if (text != "auto")
    return badCall("--geographic needs auto here; name the coordinates by --columns");
  open.space.sphere.emplace();
  return {};
}

Result<void> readDevices(CallText text, OpenRequest& /*open*/, EngineChoice& engine) {
  for (const QString& word : QString::fromStdString(text).split(QLatin1Char(','))) {
    const auto number = readInteger("--devices", word.toStdString(), 0, 1023);
    if (!number) return tl::unexpected(number.error());
    engine.rankDevices.push_back(static_cast<int>(*number));
  }
  std::sort(engine.rankDevices.begin(), engine.rankDevices.end());
  return {};
}

bool takesDevices(const EngineChoice& engine) {
  return !engine.rankDevices.empty() && backendKind(engine.backend.toStdString()).sharesDevices;
}

Written deviceText(CallState state) {
  const bool takesOne = backendKind(state.backend.toStdString()).onDevice;
  return onlyIf(state.device >= 0 && takesOne && !takesDevices(state),
                std::to_string(state.device));
}

std::vector<CallOption> parameterOptions() {
  std::vector<CallOption> options{
      {"scale", "S", "none, unit, zscore or one factor per dimension: F1,F2,…", CallPart::Run,
       [](CallText text, OpenRequest& open, EngineChoice&) {
         return named("--scale", store(parseScalingChoice(text), open.scaling));
       },
       scaleText},
      {"period", "L", "periodic box: one period per dimension, 0 or - for none: 10,10,0",
       CallPart::Run,
       [](CallText text, OpenRequest& open, EngineChoice&) {
         return named("--period", store(parsePeriods(text), open.space.periods));
       },
       [](CallState state) {
         const std::vector<double>& periods = state.parameters.space.periods;
         return onlyIf(!periods.empty(), periodsText(periods));
       }},
      {"metric", "METRIC", "how distances are measured: euclidean, cosine, manhattan or chebyshev",
       CallPart::Run,
       [](CallText text, OpenRequest& open, EngineChoice&) {
         return named("--metric", store(parseMetric(std::string(text)), open.space.metric));
       },
       [](CallState state) {
         const Metric metric = state.parameters.space.metric;
         return onlyIf(metric != Metric::Euclidean, std::string(toText(metric)));
       }},
      {"geographic", "auto",
       "the coordinates are longitude and latitude in degrees, in the order that their names say",
       CallPart::Run, readGeographic,
       [](CallState state) { return onlyIf(state.parameters.space.sphere.has_value(), "auto"); }},
      {"weights", "NAME", "the column whose values are the weights of the points", CallPart::Run,
       [](CallText text, OpenRequest& open, EngineChoice&) -> Result<void> {
         open.weights = QString::fromStdString(text);
         return {};
       },
       [](CallState state) { return unlessEmpty(state.parameters.weights.toStdString()); }},
  };
  for (const StrategyOption& option : strategyOptions()) {
    if (option.use == OptionUse::Pairs) continue;
    options.push_back({option.name, option.placeholder, option.help + ": " + choicesOf(option),
                       CallPart::Run,
                       [&option](CallText text, OpenRequest& open, EngineChoice&) {
                         return setOption(runOf(open).strategy, option, text);
                       },
                       [&option](CallState state) {
                         const std::string text = option.get(state.parameters.strategy);
                         return onlyIf(text != option.get({}), text);
                       }});
  }
  return options;
}

std::vector<CallOption> engineOptions() {
  return {
      {"backend", "B", "auto, cpu, …", CallPart::Run,
       [](CallText text, OpenRequest&, EngineChoice& engine) -> Result<void> {
         engine.backend = QString::fromStdString(text);
         return {};
       },
       [](CallState state) {
         return onlyIf(state.backend != EngineChoice().backend, state.backend.toStdString());
       }},
      {"threads", "N", "CPU threads; 0: as many as the machine has", CallPart::Machine,
       [](CallText text, OpenRequest&, EngineChoice& engine) {
         return store(readInteger("--threads", text, 0, BackendOptions::kMostThreads),
                      engine.threads);
       },
       [](CallState state) { return onlyIf(state.threads > 0, std::to_string(state.threads)); }},
      {"device", "N", "number of the GPU, from 0, for the backends auto, cuda and hybrid",
       CallPart::Machine,
       [](CallText text, OpenRequest&, EngineChoice& engine) {
         return store(readInteger("--device", text, 0, 1023), engine.device);
       },
       deviceText},
      {"ranks", "N", "ranks in this process that divide the cloud between them", CallPart::Machine,
       [](CallText text, OpenRequest&, EngineChoice& engine) {
         return store(readInteger("--ranks", text, 1, BackendOptions::kMostRanks), engine.ranks);
       },
       [](CallState state) { return onlyIf(state.ranks > 0, std::to_string(state.ranks)); }},
      {"devices", "LIST", "GPUs over which the ranks are spread: 0,1", CallPart::Machine,
       readDevices,
       [](CallState state) { return onlyIf(takesDevices(state), withCommas(state.rankDevices)); }},
  };
}

std::vector<CallOption> makeCallOptions() {
  std::vector<CallOption> all{
      {"eps", "E", "radius of the neighbourhood", CallPart::Run, readEps,
       [](CallState state) { return Written(roundTripText(state.parameters.dbscan.eps)); }},
      {"min-pts", "M", "neighbours, itself included, that make a point core", CallPart::Run,
       [](CallText text, OpenRequest& open, EngineChoice&) {
         return store(readInteger("--min-pts", text, 1, std::int64_t(kMaxPoints)), open.minPts);
       },
       [](CallState state) { return Written(std::to_string(state.parameters.dbscan.minPts)); }}};
  for (const ReadingOption& option : readingOptions())
    all.push_back({option.name, option.placeholder, option.help, CallPart::Reading,
                   [&option](CallText text, OpenRequest& open, EngineChoice&) {
                     return option.set(text, open.read);
                   },
                   [&option](CallState state) { return option.text(state.read); }});
  for (auto more : {parameterOptions(), engineOptions()})
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  return all;
}

}  // namespace

std::span<const CallOption> callOptions() {
  static const std::vector<CallOption> all = makeCallOptions();
  return all;
}

}  // namespace clusterloom
