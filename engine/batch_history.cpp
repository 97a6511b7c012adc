#include "engine/batch_history.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <ostream>
#include <set>
#include <utility>

#include "engine/core/number_text.h"
#include "engine/forwarding_backend.h"
#include "engine/io/output_set.h"

namespace clusterloom {
namespace {

constexpr const char* kHistoryFirstLine = "clusterloom batch runs 2";
constexpr std::size_t kMostRuns = 400;
constexpr std::uintmax_t kMostHistoryBytes = 1U << 20;

// A line: machine, work, ε, pairs, batches, streams, seconds, buffers, separated by tabs.
constexpr std::size_t kFields = 8;

std::string withoutTabs(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

template <class Number>
bool take(const std::string& text, Number& value) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last;
}

bool takeRun(const std::string& line, BatchRun& run) {
  std::vector<std::string> fields;
  std::size_t from = 0;
  for (std::size_t at = line.find('\t'); at != std::string::npos; at = line.find('\t', from)) {
    fields.push_back(line.substr(from, at - from));
    from = at + 1;
  }
  fields.push_back(line.substr(from));
  if (fields.size() != kFields) return false;
  run.machine = fields[0];
  run.work = fields[1];
  return take(fields[2], run.eps) && take(fields[3], run.pairs) && take(fields[4], run.batches) &&
         take(fields[5], run.streams) && take(fields[6], run.seconds) &&
         take(fields[7], run.buffers) && run.eps > 0 && run.eps < 1e300 && run.batches >= 2 &&
         run.streams >= 1 && run.seconds >= 0 && run.seconds < 1e9 && run.buffers >= 0 &&
         run.buffers < 1e9;
}

BatchHistory ignored(const std::string& path, const std::string& why) {
  return {.runs = {},
          .remark = "The earlier batched runs in " + path + " were ignored: " + why + "."};
}

class RememberingBackend final : public JoinsBy<RememberingBackend, ForwardingBackend> {
 public:
  RememberingBackend(std::unique_ptr<Backend> backend, std::string path)
      : JoinsBy(std::move(backend)), path_(std::move(path)) {}

  using ForwardingBackend::join;
  Result<PairList> join(const JoinCall<PairList>& call) const { return remembered("pairs", call); }
  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    return remembered("table", call);
  }

 private:
  static std::string sizeText(const JoinInput& input) {
    std::string text = std::to_string(input.points.size()) + " points in " +
                       std::to_string(input.points.dims()) + " dimensions";
    if (input.twoClouds) text += " and " + std::to_string(input.queries.size()) + " query points";
    return text;
  }

  template <class T>
  Result<T> remembered(const std::string& kind, const JoinCall<T>& call) const {
    if (call.strategy.method != Method::Grid || !(call.eps > 0) ||
        call.input.points.columns.empty())
      return call.on(backend());
    JoinCall<T> chosen = call;
    chosen.strategy.batchPairs = 0;
    // The first run takes memory and loads kernels, which the next ones reuse.
    const std::string state = ran_.exchange(true) ? ", " : " by a new backend, ";
    const std::string work = withoutTabs(kind + state + sizeText(call.input) + ", " +
                                         clusterloom::describe(chosen.strategy));
    const std::string machine = withoutTabs(backend().describe());
    const BatchHistory history = readHere();
    const BatchChoice choice = chooseBatch(history.runs, {.machine = machine,
                                                          .work = work,
                                                          .eps = call.eps,
                                                          .dims = int(call.input.points.dims()),
                                                          .batchPairs = call.strategy.batchPairs});
    chosen.strategy.batchPairs = choice.batchPairs;
    Result<T> result = chosen.on(backend());
    if (!result) return result;
    RunStats& stats = result->stats;
    const bool batched = stats.timeline.size() > 1;
    // A run that the model did not touch and that was done at once has nothing to say about it.
    if (choice.batchPairs > 0 || batched) addNote(stats, choice.note);
    if (choice.prediction && batched) {
      stats.predictions.push_back(*choice.prediction);
      stats.predictions.back().join = kind;
      stats.predictions.back().measured = stats.seconds.join;
    }
    addNote(stats, history.remark);
    // Runs without a GPU, or in one batch, tell nothing about batches.
    if (!batched) return result;
    const int streams = streamsIn(stats.timeline);
    addNote(stats, keep({.machine = machine,
                         .work = work,
                         .eps = call.eps,
                         .pairs = pairsIn(stats.timeline),
                         .batches = stats.timeline.size(),
                         .streams = streams,
                         .seconds = stats.seconds.join,
                         .buffers = stats.streamsReady / streams}));
    return result;
  }

  static std::uint64_t pairsIn(const std::vector<BatchStats>& timeline) {
    std::uint64_t pairs = 0;
    for (const BatchStats& batch : timeline) pairs += batch.pairs;
    return pairs;
  }
  static int streamsIn(const std::vector<BatchStats>& timeline) {
    std::set<int> streams;
    for (const BatchStats& batch : timeline) streams.insert(batch.stream);
    return int(streams.size());
  }

  BatchHistory readHere() const {
    const std::lock_guard lock(mutex_);
    return readBatchHistory(path_);
  }

  // Adds a run; what went wrong, if anything.
  std::string keep(BatchRun run) const {
    if (run.pairs == 0) return {};
    const std::lock_guard lock(mutex_);
    // Read again: other programs of this user keep their runs there too.
    std::vector<BatchRun> runs = readBatchHistory(path_).runs;
    runs.push_back(std::move(run));
    const auto written = writeBatchHistory(path_, runs);
    return written ? std::string() : "This run could not be kept: " + written.error().message;
  }

  std::string path_;
  mutable std::mutex mutex_;
  mutable std::atomic<bool> ran_ = false;
};

}  // namespace

std::string batchHistoryFile() {
  constexpr const char* kName = "/clusterloom/batch-runs";
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + kName;
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache" + kName;
  return {};
}

BatchHistory readBatchHistory(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return {};
  if (!std::filesystem::is_regular_file(status)) return ignored(path, "it is not a file");
  if (std::filesystem::file_size(path, error) > kMostHistoryBytes || error)
    return ignored(path, "it is too large");
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kHistoryFirstLine)
    return ignored(path, "it does not begin as such a file does");
  BatchHistory history;
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    BatchRun run;
    if (!takeRun(line, run))
      return ignored(path, "line " + std::to_string(number) + " is not a run");
    history.runs.push_back(std::move(run));
  }
  if (file.bad()) return ignored(path, "it cannot be read");
  return history;
}

Result<void> writeBatchHistory(const std::string& path, const std::vector<BatchRun>& runs) {
  std::error_code error;  // where it fails, writing says so
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  return writeAtomically(path, [&](std::ostream& out) -> Result<void> {
    out << kHistoryFirstLine << '\n';
    for (std::size_t i = runs.size() > kMostRuns ? runs.size() - kMostRuns : 0; i < runs.size();
         ++i) {
      const BatchRun& run = runs[i];
      out << withoutTabs(run.machine) << '\t' << withoutTabs(run.work) << '\t'
          << roundTripText(run.eps) << '\t' << run.pairs << '\t' << run.batches << '\t'
          << run.streams << '\t' << roundTripText(run.seconds) << '\t' << roundTripText(run.buffers)
          << '\n';
    }
    return {};
  });
}

std::unique_ptr<Backend> withBatchHistory(std::unique_ptr<Backend> backend, std::string path) {
  return std::make_unique<RememberingBackend>(std::move(backend), std::move(path));
}

}  // namespace clusterloom
