#include "app/window_options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "app/shell/program_text.h"
#include "engine/core/nearest_word.h"
#include "engine/core/number_text.h"
#include "engine/io/format_table.h"
#include "engine/version.h"
#include "ui/session/call_options.h"
#include "ui/session/json_values.h"
#include "ui/words/language.h"

namespace clusterloom {
namespace {

/// An option as the parser, the help and the completions need it.
struct WindowOption {
  std::string name;         ///< without dashes
  std::string placeholder;  ///< empty: it takes no value
  std::string help;
  std::function<Result<void>(const QString& value, WindowOptions& options)> read;
};

constexpr const char* kFiles =
    "the cloud or session to open; clouds after the first are opened in tabs beside it";

tl::unexpected<Error> refuse(const QString& message) { return badCall(message.toStdString()); }

/// "k-distance, sweep, … or runs".
QString choiceOf(QStringList words) {
  const QString last = words.takeLast();
  return words.join(QStringLiteral(", ")) + QStringLiteral(" or ") + last;
}

// --- kinds of options

WindowOption flag(const char* name, const char* help, bool WindowOptions::*member) {
  return {name, "", help, [member](const QString&, WindowOptions& options) -> Result<void> {
            options.*member = true;
            return {};
          }};
}

/// One of `words`; `take` gets the word.
WindowOption choice(const char* name, const char* placeholder, const QString& help,
                    const QStringList& words,
                    std::function<void(const QString& word, WindowOptions& options)> take) {
  return {
      name, placeholder, help.toStdString(),
      [name, words, take = std::move(take)](const QString& value,
                                            WindowOptions& options) -> Result<void> {
        if (!words.contains(value))
          return refuse(QStringLiteral("--%1 needs %2").arg(QLatin1String(name), choiceOf(words)));
        take(value, options);
        return {};
      }};
}

/// A number from 0.
WindowOption number(const char* name, const char* placeholder, const char* help,
                    std::int64_t WindowOptions::*member) {
  return {name, placeholder, help,
          [name, member](const QString& value, WindowOptions& options) -> Result<void> {
            const auto read =
                readInteger(std::string("--") + name, value.toStdString(), 0, 2147483647);
            if (!read) return tl::unexpected(read.error());
            options.*member = *read;
            return {};
          }};
}

// --- values

Result<GeneratorSpec> sampleSpec(const QString& text) {
  const QStringList parts = text.split(QLatin1Char(':'));
  GeneratorSpec spec;
  spec.kind = parts[0].toStdString();
  bool known = false;
  QStringList kinds;
  for (const GeneratorKind& kind : generatorKinds()) {
    known = known || kind.name == spec.kind;
    kinds << QString::fromStdString(kind.name);
    if (kind.name == spec.kind) spec.dims = std::max<std::size_t>(spec.dims, kind.minDims);
  }
  if (!known) {
    return refuse(QStringLiteral("--sample needs one of %1, not “%2”")
                      .arg(kinds.join(QStringLiteral(", ")), parts[0]));
  }
  if (parts.size() > 1) {
    const auto points =
        readInteger("--sample", parts[1].toStdString(), 1, std::int64_t(kMaxPoints));
    if (!points) return tl::unexpected(points.error());
    spec.points = std::size_t(*points);
  }
  if (parts.size() > 2) {
    const auto dims = readInteger("--sample", parts[2].toStdString(), 1, std::int64_t(kMaxDims));
    if (!dims) return tl::unexpected(dims.error());
    spec.dims = std::size_t(*dims);
  }
  return spec;
}

Result<void> readSample(const QString& value, WindowOptions& options) {
  const auto spec = sampleSpec(value);
  if (!spec) return tl::unexpected(spec.error());
  options.open.sample = *spec;
  return {};
}

Result<void> readSize(const QString& value, WindowOptions& options) {
  const QStringList sides = value.split(QLatin1Char('x'));
  const auto width = readInteger("--size", sides.value(0).toStdString(), 200, 16384);
  const auto height = readInteger("--size", sides.value(1).toStdString(), 200, 16384);
  if (!width || !height || sides.size() != 2)
    return refuse(QStringLiteral("--size needs WIDTHxHEIGHT in pixels, such as 1440x900"));
  options.size = QSize(int(*width), int(*height));
  return {};
}

Result<void> readImageSize(const QString& value, WindowOptions& options) {
  const auto size = parseImageSize(value.toStdString());
  if (!size) return badCall("--image-size: " + size.error().message);
  options.imageSize = *size;
  return {};
}

Result<void> readScreenshot(const QString& value, WindowOptions& options) {
  if (value.isEmpty())
    return refuse(QStringLiteral("--screenshot needs the name of a file, not ''"));
  options.screenshot = value;
  return {};
}

Result<void> readSelected(const QString& value, WindowOptions& options) {
  for (const QString& word : value.split(QLatin1Char(','))) {
    const auto label = readInteger("--select", word.toStdString(), 0, 2147483647);
    if (!label) return tl::unexpected(label.error());
    options.select.push_back(std::int32_t(*label));
  }
  return {};
}

/// An option of --handout for a file or a lesson.
WindowOption handoutOption(const char* name, const char* placeholder, const char* help,
                           std::function<void(const QString& value, WindowOptions& options)> take) {
  return {
      name, placeholder, help,
      [name, take = std::move(take)](const QString& value, WindowOptions& options) -> Result<void> {
        if (value.isEmpty())
          return refuse(QStringLiteral("--%1 needs a name, not ''").arg(QLatin1String(name)));
        take(value, options);
        return {};
      }};
}

Result<void> readStep(const QString& value, WindowOptions& options) {
  const auto step = readInteger("--step", value.toStdString(), 1, 1000);
  if (!step) return tl::unexpected(step.error());
  options.outputs.step = int(*step);
  return {};
}

/// The words of an enumeration but those of some values.
template <class E>
QStringList wordsBut(std::initializer_list<E> others) {
  QStringList words;
  for (const char* word : wordsOf(E())) words << QLatin1String(word);
  for (const E other : others)
    words.removeOne(QLatin1String(wordsOf(other)[static_cast<std::size_t>(other)]));
  return words;
}

QStringList languageWords() {
  QStringList words;
  for (const Language& language : languages()) words << language.code;
  return words << QStringLiteral("system");
}

// --- the options

std::vector<WindowOption> dataOptions() {
  std::vector<WindowOption> all;
  for (const CallOption& option : callOptions())
    all.push_back({option.name, option.placeholder, option.help,
                   [&option](const QString& value, WindowOptions& options) {
                     return option.read(value.toStdString(), options.open, options.engine);
                   }});
  all.push_back(
      {"sample", "SPEC", "a generated cloud instead of a file: KIND[:POINTS[:DIMS]]", readSample});
  return all;
}

std::vector<WindowOption> displayOptions() {
  const QStringList colourings = wordsBut<ColourBy>({ColourBy::Attribute, ColourBy::Dimension});
  const QStringList arrows = wordsBut<PatternArrows>({PatternArrows::None});
  return {
      choice(
          "theme", "T", QStringLiteral("light, dark or system"),
          {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")},
          [](const QString& word, WindowOptions& options) { options.theme = themeFromText(word); }),
      choice("language", "CODE",
             choiceOf(languageWords()) + QStringLiteral(": of the texts in the window"),
             languageWords(),
             [](const QString& word, WindowOptions& options) { options.language = word; }),
      {"size", "WxH", "size of the window in logical pixels: 1440x900", readSize},
      choice("colour-by", "C", choiceOf(colourings), colourings,
             [](const QString& word, WindowOptions& options) { take(word, options.colourBy); }),
      flag("grid", "show the cells of the grid", &WindowOptions::grid),
      choice("arrows", "P",
             QStringLiteral("show the cells and the arrows of a pattern: ") + choiceOf(arrows),
             arrows,
             [](const QString& word, WindowOptions& options) { take(word, options.arrows); }),
      {"select", "L", "select these clusters: 0,3,5", readSelected},
      number("select-warp", "W", "select this warp, by its number in order of launch",
             &WindowOptions::selectWarp),
      number("select-cell", "POINT",
             "select the cell in which this point lies, by its number from 0, and show the cells",
             &WindowOptions::selectCell),
      choice(
          "chart", "C", QStringLiteral("the chart in front: ") + choiceOf(chartNames()),
          chartNames(),
          [](const QString& word, WindowOptions& options) { options.chart = chartFromName(word); }),
      flag("compare", "put the compare chart in front and run the strategies ticked there",
           &WindowOptions::compare),
      flag("lessons", "also open the window for lessons; --screenshot then shows that one",
           &WindowOptions::lessons)};
}

std::vector<WindowOption> programOptions() {
  return {
      flag("new-window",
           "open a window of its own; otherwise files without options are offered to a window that "
           "runs on the same display",
           &WindowOptions::newWindow),
      flag("save-on-close",
           "with a session: save it when the window closes, without a question; for programs that "
           "read the parameters from it afterwards",
           &WindowOptions::saveOnClose),
      {"screenshot", "OUT.png",
       "save a picture of the window once the exact result and the chart in front are drawn, then "
       "end; the picture shows the window as it is",
       readScreenshot},
      {"image-size", "WxH",
       "pixels of the saved picture (default: those of the window); texts and points grow with "
       "it, and the window takes its proportions",
       readImageSize}};
}

std::vector<WindowOption> handoutOptions() {
  return {
      handoutOption("handout", "LESSON",
                    "write files of a lesson and end, without a window: a file, or the number of "
                    "one that comes with the program; clusterloom-cli handout explains",
                    [](const QString& value, WindowOptions& options) { options.handout = value; }),
      handoutOption(
          "output", "OUT", "with --handout: the hand-out (.html .pdf)",
          [](const QString& value, WindowOptions& options) { options.outputs.document = value; }),
      {"slides", "", "with --handout: one step a page in it",
       [](const QString&, WindowOptions& options) -> Result<void> {
         options.outputs.slides = true;
         return {};
       }},
      handoutOption(
          "lane-view", "OUT", "with --handout: a page with the warp of a step (.html)",
          [](const QString& value, WindowOptions& options) { options.outputs.laneView = value; }),
      {"step", "N", "with --lane-view: the step, from 1 (default: the first with a warp)",
       readStep},
      handoutOption(
          "notebook", "OUT", "with --handout: its computations in Python (.ipynb)",
          [](const QString& value, WindowOptions& options) { options.outputs.notebook = value; })};
}

std::vector<WindowOption> windowOptions() {
  std::vector<WindowOption> all = dataOptions();
  for (const auto& more : {displayOptions(), programOptions(), handoutOptions()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

// --- the whole call

QString name(const std::string& option) { return QString::fromStdString(option); }

/// The options that print something instead of opening the window.
std::vector<QCommandLineOption> printingOptions() {
  std::vector<QCommandLineOption> all{
      {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Print this help")},
      {{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Print the version")}};
  for (const ShellText& text : shellTexts())
    all.emplace_back(QString::fromLatin1(text.option), QString::fromUtf8(text.help));
  return all;
}

/// The output of these options; empty: none of them is given.
QString printedInstead(const QCommandLineParser& parser, const std::vector<WindowOption>& options) {
  if (parser.isSet(QStringLiteral("version")))
    return QStringLiteral("clusterloom %1\n").arg(QString::fromLatin1(kVersion));
  if (parser.isSet(QStringLiteral("help")))
    // Qt knows the program's name only after the application is made.
    return parser.helpText().replace(QLatin1String("<executable_name>"),
                                     QLatin1String("clusterloom"));
  CommandText described{"",
                        "Opens the window, on FILE when it is given: a cloud or a session.",
                        {{.name = "FILE…", .value = "", .help = kFiles}},
                        {},
                        ""};
  for (const WindowOption& option : options)
    described.options.push_back({"--" + option.name, option.placeholder, option.help});
  for (const QCommandLineOption& option : printingOptions())
    described.options.push_back(
        {"--" + option.names().last().toStdString(), "", option.description().toStdString()});
  for (const ShellText& text : shellTexts())
    if (parser.isSet(QString::fromLatin1(text.option)))
      return QString::fromStdString(text.make({"clusterloom",
                                               "explore density-based clusters in point clouds",
                                               kVersion,
                                               "clusterloom-cli",
                                               {described}}));
  return {};
}

/// The message about a call that the parser refuses.
QString problemOf(const QCommandLineParser& parser, const std::vector<WindowOption>& options) {
  const QStringList unknown = parser.unknownOptionNames();
  if (unknown.isEmpty()) return parser.errorText();
  std::vector<std::string> names;
  for (const WindowOption& option : options) names.push_back(option.name);
  for (const QCommandLineOption& option : printingOptions())
    names.push_back(option.names().last().toStdString());
  const std::string nearest = nearestWord(unknown.front().toStdString(), names);
  const QString problem = QStringLiteral("There is no option --") + unknown.front();
  return nearest.empty() ? problem
                         : problem + QStringLiteral("; did you mean --%1?").arg(name(nearest));
}

Result<void> takeFiles(QStringList files, WindowOptions& options) {
  if (files.isEmpty()) return {};
  if (options.open.sample) return refuse(QStringLiteral("give either a file or --sample"));
  const QString first = files.takeFirst();
  options.moreFiles = files;
  const bool session =
      QFileInfo(first).suffix().compare(QLatin1String("clusterloom"), Qt::CaseInsensitive) == 0;
  (session ? options.sessionFile : options.open.path) = first;
  return {};
}

/// Refuses options that need others.
Result<void> checkTogether(const WindowOptions& options) {
  const bool opens = options.opensCloud() || !options.sessionFile.isEmpty();
  if (options.imageSize && options.screenshot.isEmpty())
    return refuse(QStringLiteral("--image-size needs --screenshot"));
  if (options.compare && !opens)
    return refuse(QStringLiteral("--compare needs a FILE or --sample"));
  if (!options.screenshot.isEmpty() && !opens && (options.open.eps || options.open.minPts))
    return refuse(QStringLiteral("--eps and --min-pts need a FILE"));
  if (options.saveOnClose && options.sessionFile.isEmpty())
    return refuse(QStringLiteral("--save-on-close needs a session (.clusterloom)"));
  const LessonOutputs& outputs = options.outputs;
  const bool document = !outputs.document.isEmpty();
  const bool lanes = !outputs.laneView.isEmpty();
  const bool files = document || lanes || !outputs.notebook.isEmpty();
  if (options.handout.isEmpty() && (files || outputs.slides || outputs.step > 0))
    return refuse(
        QStringLiteral("--output, --slides, --lane-view, --step and --notebook need --handout"));
  if (!options.handout.isEmpty() && (!files || opens))
    return refuse(
        QStringLiteral("--handout needs --output, --lane-view or --notebook, and no FILE"));
  if (outputs.slides && !document) return refuse(QStringLiteral("--slides needs --output"));
  if (outputs.step > 0 && !lanes) return refuse(QStringLiteral("--step needs --lane-view"));
  return {};
}

}  // namespace

Result<WindowOptions> parseWindowOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(
      QStringLiteral(
          "Explore density-based clusters in point clouds.\n\n"
          "Opens the window, on FILE when it is given: a cloud (%1) or a session.\n"
          "Whatever is not given is chosen from the data. For batch work see clusterloom-cli.")
          .arg(QString::fromStdString(readTitles())));
  parser.addPositionalArgument(QStringLiteral("FILE"), QString::fromUtf8(kFiles),
                               QStringLiteral("[FILE…]"));
  const std::vector<WindowOption> all = windowOptions();
  for (const WindowOption& option : all)
    parser.addOption(QCommandLineOption(name(option.name), name(option.help).replace('\n', ' '),
                                        name(option.placeholder)));
  for (const QCommandLineOption& option : printingOptions()) parser.addOption(option);
  if (!parser.parse(QStringList{QStringLiteral("clusterloom")} + arguments))
    return refuse(problemOf(parser, all));

  WindowOptions options;
  options.help = printedInstead(parser, all);
  if (!options.help.isEmpty()) return options;
  for (const WindowOption& option : all)
    if (parser.isSet(name(option.name)))
      if (auto read = option.read(parser.value(name(option.name)), options); !read)
        return tl::unexpected(read.error());
  // Options about cells show the cells.
  options.grid = options.grid || options.selectCell >= 0 || options.arrows != PatternArrows::None;
  const QStringList files = parser.positionalArguments();
  options.filesOnly = !files.isEmpty() && parser.optionNames().isEmpty();
  if (auto taken = takeFiles(files, options); !taken) return tl::unexpected(taken.error());
  if (auto fine = checkTogether(options); !fine) return tl::unexpected(fine.error());
  return options;
}

}  // namespace clusterloom
