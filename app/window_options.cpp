#include "app/window_options.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>

#include "app/shell/program_text.h"
#include "engine/core/nearest_word.h"
#include "engine/core/number_text.h"
#include "engine/io/format_table.h"
#include "engine/io/read_words.h"
#include "engine/join/strategy_options.h"
#include "engine/version.h"
#include "ui/session/session_data.h"
#include "ui/words/language.h"

namespace clusterloom {
namespace {

/// "k-distance, sweep, … or runs".
QString choiceOf(QStringList words) {
  const QString last = words.takeLast();
  return words.join(QStringLiteral(", ")) + QStringLiteral(" or ") + last;
}

constexpr const char* kFiles =
    "the cloud or session to open; clouds after the first are opened in tabs beside it";

QString chartChoice() { return choiceOf(chartNames()); }

QStringList languageWords() {
  QStringList words;
  for (const Language& language : languages()) words << language.code;
  return words << QStringLiteral("system");
}

QString languageChoice() { return choiceOf(languageWords()); }

tl::unexpected<Error> refuse(const QString& message) {
  return fail(ErrorKind::BadCall, message.toStdString());
}

Result<double> number(const char* option, const QString& text) {
  return readNumber(std::string("--") + option, text.toStdString());
}

Result<std::int64_t> whole(const char* option, const QString& text, std::int64_t least,
                           std::int64_t most) {
  return readInteger(std::string("--") + option, text.toStdString(), least, most);
}

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
    const auto points = whole("sample", parts[1], 1, std::int64_t(kMaxPoints));
    if (!points) return tl::unexpected(points.error());
    spec.points = std::size_t(*points);
  }
  if (parts.size() > 2) {
    const auto dims = whole("sample", parts[2], 1, std::int64_t(kMaxDims));
    if (!dims) return tl::unexpected(dims.error());
    spec.dims = std::size_t(*dims);
  }
  return spec;
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
  std::vector<std::string> names;
  CommandText described{"",
                        "Opens the window, on FILE when it is given: a cloud or a session.",
                        {{"FILE…", "", kFiles}},
                        {},
                        ""};
  const auto add = [&](const char* name, const char* description, const char* value = "") {
    names.emplace_back(name);
    described.options.push_back({std::string("--") + name, value, description});
    parser.addOption(QCommandLineOption(QString::fromLatin1(name), QString::fromUtf8(description),
                                        QString::fromUtf8(value)));
  };
  add("eps", "radius of the neighbourhood", "E");
  add("min-pts", "neighbours, itself included, that make a point core", "M");
  add("scale", "none, unit, zscore or one factor per dimension: F1,F2,…", "S");
  add("columns", "coordinate columns by name or number: 0,2,x", "C");
  add("skip-non-finite", "leave out rows with NaN or infinite coordinates");
  add("every", "read rows 0, N, 2N, … only", "N");
  add("delimiter", "text: auto, comma, semicolon, tab or space", "D");
  add("header", "text: whether the first row names the columns: auto, yes or no", "H");
  add("decimal-comma",
      "text: 1,5 means 1.5 (default: detected where the delimiter is not a comma)");
  add("decimal-point", "text: the point is the decimal sign; cells such as 1,5 are text");
  for (const StrategyOption& option : strategyOptions())
    if (option.use != OptionUse::Pairs)
      add(option.name.c_str(), (option.help + ": " + choicesOf(option)).c_str(),
          option.placeholder.c_str());
  add("backend", "auto, cpu, …", "B");
  add("threads", "CPU threads; 0: as many as the machine has", "N");
  add("device", "number of the GPU, from 0, for the backends auto and cuda", "N");
  add("ranks", "ranks in this process that divide the cloud between them", "N");
  add("sample", "a generated cloud instead of a file: KIND[:POINTS[:DIMS]]", "SPEC");
  add("new-window",
      "open a window of its own; otherwise files without options are offered to a window that runs "
      "on the same display");
  add("save-on-close",
      "with a session: save it when the window closes, without a question; for programs that read "
      "the parameters from it afterwards");
  add("theme", "light, dark or system", "T");
  add("language",
      (languageChoice() + QStringLiteral(": of the texts in the window")).toUtf8().constData(),
      "CODE");
  add("size", "size of the window in logical pixels: 1440x900", "WxH");
  add("colour-by", "cluster, role, density, workload, warp or idle-lane-steps", "C");
  add("grid", "show the cells of the grid");
  add("arrows", "show the cells and the arrows of a pattern: full, unicomp or lid-unicomp", "P");
  add("select", "select these clusters: 0,3,5", "L");
  add("select-warp", "select this warp, by its number in order of launch", "W");
  add("select-cell",
      "select the cell in which this point lies, by its number from 0, and show the cells",
      "POINT");
  add("chart", (QStringLiteral("the chart in front: ") + chartChoice()).toUtf8().constData(), "C");
  add("compare", "put the compare chart in front and run the strategies ticked there");
  add("lessons", "also open the window for lessons; --screenshot then shows that one");
  add("screenshot",
      "save a picture of the window once the exact result and the chart in front are drawn, then "
      "end; the picture shows the window as it is",
      "OUT.png");
  add("image-size",
      "pixels of the saved picture (default: those of the window); texts and points grow with it, "
      "and the window takes its proportions",
      "WxH");
  for (const ShellText& text : shellTexts()) add(text.option, text.help);
  const QCommandLineOption help = parser.addHelpOption();
  const QCommandLineOption version = parser.addVersionOption();
  if (!parser.parse(QStringList{QStringLiteral("clusterloom")} + arguments)) {
    QString problem = parser.errorText();
    if (const QStringList unknown = parser.unknownOptionNames(); !unknown.isEmpty()) {
      const std::string nearest = nearestWord(unknown.front().toStdString(), names);
      problem = QStringLiteral("There is no option --") + unknown.front();
      if (!nearest.empty())
        problem += QStringLiteral("; did you mean --%1?").arg(QString::fromStdString(nearest));
    }
    return refuse(problem);
  }
  WindowOptions options;
  if (parser.isSet(help)) {
    // Qt knows the program's name only after the application is made.
    options.help =
        parser.helpText().replace(QLatin1String("<executable_name>"), QLatin1String("clusterloom"));
  }
  if (parser.isSet(version)) {
    options.help = QStringLiteral("clusterloom %1\n").arg(QString::fromLatin1(kVersion));
  }
  for (const ShellText& text : shellTexts())
    if (parser.isSet(QString::fromLatin1(text.option)))
      options.help =
          QString::fromStdString(text.make({"clusterloom",
                                            "explore density-based clusters in point clouds",
                                            kVersion,
                                            "clusterloom-cli",
                                            {described}}));
  if (!options.help.isEmpty()) return options;

  OpenRequest open;
  Strategy strategy;
  bool strategyGiven = false;
  const auto text = [&parser](const char* name) -> std::optional<QString> {
    const QString option = QString::fromLatin1(name);
    return parser.isSet(option) ? std::optional(parser.value(option)) : std::nullopt;
  };
  if (const auto value = text("eps")) {
    const auto eps = number("eps", *value);
    if (!eps) return tl::unexpected(eps.error());
    if (*eps <= 0) return refuse(QStringLiteral("--eps must be above 0"));
    open.eps = *eps;
  }
  if (const auto value = text("min-pts")) {
    const auto minPts = whole("min-pts", *value, 1, std::int64_t(kMaxPoints));
    if (!minPts) return tl::unexpected(minPts.error());
    open.minPts = *minPts;
  }
  if (const auto value = text("scale")) {
    const auto choice = parseScalingChoice(value->toStdString());
    if (!choice) return fail(ErrorKind::BadCall, "--scale: " + choice.error().message);
    open.scaling = *choice;
  }
  if (const auto value = text("columns")) {
    auto columns = parseColumnList(value->toStdString());
    if (!columns) return tl::unexpected(columns.error());
    open.read.coordinates = std::move(*columns);
  }
  open.read.skipNonFinite = parser.isSet(QStringLiteral("skip-non-finite"));
  if (const auto value = text("every")) {
    const auto every = whole("every", *value, 1, std::int64_t(kMostEvery));
    if (!every) return tl::unexpected(every.error());
    open.read.every = std::uint64_t(*every);
  }
  if (parser.isSet(QStringLiteral("decimal-point"))) {
    if (parser.isSet(QStringLiteral("decimal-comma")))
      return refuse(QStringLiteral("--decimal-comma and --decimal-point exclude each other"));
    open.read.text.decimalSign = TextOptions::DecimalSign::Point;
  } else if (parser.isSet(QStringLiteral("decimal-comma"))) {
    open.read.text.decimalSign = TextOptions::DecimalSign::Comma;
  }
  if (const auto value = text("delimiter"))
    if (const auto read = parseDelimiter(value->toStdString(), open.read.text.delimiter); !read)
      return tl::unexpected(read.error());
  if (const auto value = text("header"))
    if (const auto read = parseHeader(value->toStdString(), open.read.text.header); !read)
      return tl::unexpected(read.error());
  for (const StrategyOption& option : strategyOptions()) {
    if (option.use == OptionUse::Pairs) continue;
    const auto value = text(option.name.c_str());
    if (!value) continue;
    if (const auto set = setOption(strategy, option, value->toStdString()); !set)
      return tl::unexpected(set.error());
    strategyGiven = true;
  }
  if (strategyGiven) open.strategy = strategy;
  options.backend = text("backend").value_or(options.backend);
  if (const auto value = text("threads")) {
    const auto threads = whole("threads", *value, 0, 4096);
    if (!threads) return tl::unexpected(threads.error());
    options.threads = int(*threads);
  }
  if (const auto value = text("device")) {
    const auto device = whole("device", *value, 0, 1023);
    if (!device) return tl::unexpected(device.error());
    options.device = int(*device);
  }
  if (const auto value = text("ranks")) {
    const auto ranks = whole("ranks", *value, 1, 1024);
    if (!ranks) return tl::unexpected(ranks.error());
    options.ranks = int(*ranks);
  }
  if (const auto value = text("theme")) {
    options.theme = themeFromText(*value);
    if (toText(*options.theme) != *value)
      return refuse(QStringLiteral("--theme needs light, dark or system"));
  }
  if (const auto value = text("language")) {
    if (!languageWords().contains(*value))
      return refuse(QStringLiteral("--language needs ") + languageChoice());
    options.language = *value;
  }
  if (const auto value = text("size")) {
    const QStringList sides = value->split(QLatin1Char('x'));
    const auto width = whole("size", sides.value(0), 200, 16384);
    const auto height = whole("size", sides.value(1), 200, 16384);
    if (!width || !height || sides.size() != 2) {
      return refuse(QStringLiteral("--size needs WIDTHxHEIGHT in pixels, such as 1440x900"));
    }
    options.size = QSize(int(*width), int(*height));
  }
  if (const auto value = text("colour-by")) {
    static const QHash<QString, ColourBy> words{
        {QStringLiteral("cluster"), ColourBy::Cluster},
        {QStringLiteral("role"), ColourBy::Role},
        {QStringLiteral("density"), ColourBy::Density},
        {QStringLiteral("workload"), ColourBy::Workload},
        {QStringLiteral("warp"), ColourBy::Warp},
        {QStringLiteral("idle-lane-steps"), ColourBy::IdleLaneSteps}};
    if (!words.contains(*value)) {
      return refuse(QStringLiteral(
          "--colour-by needs cluster, role, density, workload, warp or idle-lane-steps"));
    }
    options.colourBy = words.value(*value);
  }
  if (const auto value = text("arrows")) {
    static const QHash<QString, PatternArrows> words{
        {QStringLiteral("full"), PatternArrows::Full},
        {QStringLiteral("unicomp"), PatternArrows::Unicomp},
        {QStringLiteral("lid-unicomp"), PatternArrows::LidUnicomp}};
    if (!words.contains(*value))
      return refuse(QStringLiteral("--arrows needs full, unicomp or lid-unicomp"));
    options.arrows = words.value(*value);
  }
  if (const auto value = text("select")) {
    for (const QString& word : value->split(QLatin1Char(','))) {
      const auto label = whole("select", word, 0, 2147483647);
      if (!label) return tl::unexpected(label.error());
      options.select.push_back(std::int32_t(*label));
    }
  }
  if (const auto value = text("select-warp")) {
    const auto warp = whole("select-warp", *value, 0, 2147483647);
    if (!warp) return tl::unexpected(warp.error());
    options.selectWarp = *warp;
  }
  if (const auto value = text("select-cell")) {
    const auto point = whole("select-cell", *value, 0, 2147483647);
    if (!point) return tl::unexpected(point.error());
    options.selectCell = *point;
  }
  // Options about cells show the cells.
  options.grid = parser.isSet(QStringLiteral("grid")) || options.selectCell >= 0 ||
                 options.arrows != PatternArrows::None;
  if (const auto value = text("chart")) {
    options.chart = chartFromName(*value);
    if (!options.chart) return refuse(QStringLiteral("--chart needs ") + chartChoice());
  }
  options.compare = parser.isSet(QStringLiteral("compare"));
  options.lessons = parser.isSet(QStringLiteral("lessons"));
  options.screenshot = text("screenshot").value_or(QString());
  if (parser.isSet(QStringLiteral("screenshot")) && options.screenshot.isEmpty())
    return refuse(QStringLiteral("--screenshot needs the name of a file, not ''"));
  if (const auto value = text("image-size")) {
    const auto size = parseImageSize(value->toStdString());
    if (!size) return fail(ErrorKind::BadCall, "--image-size: " + size.error().message);
    if (options.screenshot.isEmpty())
      return refuse(QStringLiteral("--image-size needs --screenshot"));
    options.imageSize = *size;
  }

  QStringList files = parser.positionalArguments();
  options.newWindow = parser.isSet(QStringLiteral("new-window"));
  options.filesOnly = !files.isEmpty() && parser.optionNames().isEmpty();
  if (const auto value = text("sample")) {
    if (!files.isEmpty()) return refuse(QStringLiteral("give either a file or --sample"));
    const auto spec = sampleSpec(*value);
    if (!spec) return tl::unexpected(spec.error());
    open.sample = *spec;
    options.open = open;
  } else if (!files.isEmpty()) {
    const QString first = files.takeFirst();
    options.moreFiles = files;
    if (QFileInfo(first).suffix().compare(QLatin1String("clusterloom"), Qt::CaseInsensitive) == 0) {
      options.sessionFile = first;
    } else {
      open.path = first;
      options.open = open;
    }
  } else if (options.compare) {
    return refuse(QStringLiteral("--compare needs a FILE or --sample"));
  } else if (!options.screenshot.isEmpty() && (open.eps || open.minPts)) {
    return refuse(QStringLiteral("--eps and --min-pts need a FILE"));
  }
  options.saveOnClose = parser.isSet(QStringLiteral("save-on-close"));
  if (options.saveOnClose && options.sessionFile.isEmpty())
    return refuse(QStringLiteral("--save-on-close needs a session (.clusterloom)"));
  return options;
}

}  // namespace clusterloom
