#include "ui/charts/chart_output.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QSvgRenderer>
#include <QTableView>
#include <algorithm>

#include "render/charts/chart.h"
#include "render/paint/svg_painter.h"
#include "ui/charts/chart_table.h"
#include "ui/session/session.h"
#include "ui/session/session_files.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"
#include "ui/widgets/form.h"

namespace clusterloom {

namespace {

constexpr double kFileScale = 2;  // of pictures, to begin with
const char* const kFolderKey = "charts/folder";
const char* const kSuffixKey = "charts/format";

struct ChartOutputTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ChartOutput)
};

/// The picture in pixels; null when there is no memory for it. Any thread may call it.
QImage drawn(const std::string& svg, const PictureOptions& options) {
  QSvgRenderer renderer(QByteArray::fromStdString(svg));
  QImage image(pixelsOf(options), QImage::Format_RGB32);
  if (image.isNull() || !renderer.isValid()) return {};
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  renderer.render(&painter);
  return image;
}

/// As on the screen.
PictureOptions usualOptions(const ChartOutput& output) {
  PictureOptions options;
  options.size = output.size();
  options.scale = kFileScale;
  options.background = isDark(output.widget->palette()) ? Background::Dark : Background::Light;
  return options;
}

bool isPicture(const QString& suffix) {
  return suffix == QLatin1String("png") || suffix == QLatin1String("svg");
}

QString suffixOf(const QString& path) { return QFileInfo(path).suffix().toLower(); }

void askForOptions(Session& session, const ChartOutput& output, const QString& path) {
  auto* dialog = deletedOnClose(new ChartPictureDialog(usualOptions(output), output.sizeIsFree,
                                                       suffixOf(path) == QLatin1String("svg"),
                                                       output.widget->window()));
  QObject::connect(dialog, &QDialog::accepted, output.widget, [&session, &output, path, dialog] {
    saveOutput(session, output, path, dialog->options());
  });
  dialog->open();
}

}  // namespace

ChartOutput outputOf(ChartView& view, const QString& title, const QString& fileName) {
  Chart& chart = view.chart();
  ChartOutput output;
  output.widget = &view;
  output.title = title;
  output.fileName = fileName;
  output.isEmpty = [&chart] { return chart.isEmpty(); };
  output.size = [&view] { return view.size().expandedTo({480, 270}); };
  output.svg = [&chart, title](QSize size, Background background) {
    return chart.toSvg(size.width(), size.height(), background, title.toStdString());
  };
  output.table = [&chart] { return chart.table(); };
  if (chart.canZoom()) {
    output.showAll = [&view, &chart] {
      chart.pressKey(ChartKey::All);
      view.requestFrame();
    };
    output.isZoomed = [&chart] { return chart.isZoomed(); };
  }
  return output;
}

ShownTable shownTable(const QTableView& view) {
  const QAbstractItemModel& model = *view.model();
  ShownTable shown;
  shown.table.rows.resize(std::size_t(model.rowCount()));
  for (int c = 0; c < model.columnCount(); ++c) {
    if (view.isColumnHidden(c)) continue;
    shown.table.names.push_back(model.headerData(c, Qt::Horizontal).toString().toStdString());
    const QVariant alignment = model.index(0, c).data(Qt::TextAlignmentRole);
    shown.flushRight.push_back((alignment.toInt() & Qt::AlignRight) != 0);
    for (int r = 0; r < model.rowCount(); ++r)
      shown.table.rows[std::size_t(r)].push_back(model.index(r, c).data().toString().toStdString());
  }
  return shown;
}

ChartOutput outputOfTable(QTableView& view, const QString& title, const QString& fileName,
                          std::function<MakeTable()> table) {
  ChartOutput output;
  output.widget = &view;
  output.title = title;
  output.fileName = fileName;
  output.sizeIsFree = false;
  output.isEmpty = [&view] { return view.model()->rowCount() == 0; };
  output.size = [&view] {
    const TableSize size = sizeOf(shownTable(view));
    return QSize(size.width, size.height);
  };
  output.svg = [&view, title](QSize size, Background background) {
    const Theme& theme = themeOf(background);
    SvgPainter painter(size.width(), size.height(), theme.ground, title.toStdString());
    paintTable(painter, shownTable(view), theme);
    return painter.document();
  };
  output.table = std::move(table);
  return output;
}

void saveOutput(Session& session, const ChartOutput& output, const QString& path,
                const PictureOptions& options) {
  const QString suffix = suffixOf(path);
  SessionFiles& files = session.files();
  if (suffix == QLatin1String("csv"))
    return files.exportBytes(path, [make = output.table()] { return toCsv(make()); });
  if (!output.svg)  // of tables only
    return session.jobs().refuse(
        JobKind::Export,
        ChartOutputTexts::tr("%1: tables are saved as .csv. Choose a name that ends in it.")
            .arg(QDir::toNativeSeparators(path)),
        path);
  if (!isPicture(suffix))
    return session.jobs().refuse(JobKind::Export,
                                 ChartOutputTexts::tr("%1: charts are saved as .png, .svg or .csv. "
                                                      "Choose a name with one of these endings.")
                                     .arg(QDir::toNativeSeparators(path)),
                                 path);
  std::string svg = output.svg(options.size, options.background);
  if (suffix == QLatin1String("svg")) return files.exportBytes(path, [svg] { return svg; });
  files.exportImage(path, [svg, options] { return drawn(svg, options); });
}

namespace {

void askForFile(Session& session, const ChartOutput& output, const QString& title,
                const QStringList& suffixes, const QStringList& filters) {
  QSettings settings;
  const auto usual = std::max<qsizetype>(
      0, suffixes.indexOf(settings.value(QLatin1String(kSuffixKey)).toString()));
  auto* dialog =
      named("chartFileDialog",
            deletedOnClose(new QFileDialog(output.widget->window(), title,
                                           settings.value(QLatin1String(kFolderKey)).toString())));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters(filters);
  dialog->selectNameFilter(filters[usual]);
  dialog->setDefaultSuffix(suffixes[usual]);
  dialog->selectFile(output.fileName + QLatin1Char('.') + suffixes[usual]);
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
                   [dialog, suffixes, filters, usual = output.fileName](const QString& filter) {
                     const auto at = std::max<qsizetype>(0, filters.indexOf(filter));
                     // A name that was typed stays.
                     const QFileInfo typed(dialog->selectedFiles().value(0));
                     const bool isName = !typed.fileName().isEmpty() && !typed.isDir();
                     const QString name = !isName ? usual
                                          : suffixes.contains(typed.suffix())
                                              ? typed.completeBaseName()
                                              : typed.fileName();
                     dialog->setDefaultSuffix(suffixes[at]);
                     dialog->selectFile(name + QLatin1Char('.') + suffixes[at]);
                   });
  QObject::connect(dialog, &QFileDialog::fileSelected, output.widget,
                   [&session, &output](const QString& path) {
                     QSettings kept;
                     kept.setValue(QLatin1String(kFolderKey), QFileInfo(path).absolutePath());
                     if (!output.svg) return saveOutput(session, output, path, {});
                     kept.setValue(QLatin1String(kSuffixKey), suffixOf(path));
                     if (isPicture(suffixOf(path))) return askForOptions(session, output, path);
                     saveOutput(session, output, path, {});
                   });
  dialog->open();
}

}  // namespace

void askToSave(Session& session, const ChartOutput& output) {
  askForFile(
      session, output, ChartOutputTexts::tr("Save the chart"),
      {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("csv")},
      {ChartOutputTexts::tr("Picture (*.png)"), ChartOutputTexts::tr("Vector picture (*.svg)"),
       ChartOutputTexts::tr("Table of the numbers (*.csv)")});
}

void askToSaveTable(Session& session, const ChartOutput& output) {
  askForFile(session, output, ChartOutputTexts::tr("Save the table"), {QStringLiteral("csv")},
             {ChartOutputTexts::tr("Table of the numbers (*.csv)")});
}

void copyPicture(const ChartOutput& output) {
  const PictureOptions options = usualOptions(output);
  const std::string svg = output.svg(options.size, options.background);
  auto* data = new QMimeData;
  data->setData(QStringLiteral("image/svg+xml"), QByteArray::fromStdString(svg));
  data->setImageData(drawn(svg, options));
  QGuiApplication::clipboard()->setMimeData(data);
}

void copyData(Session& session, const ChartOutput& output) {
  struct Copy {
    std::string tabs;
    std::string csv;
  };
  session.jobs().start<Copy>(
      JobKind::Export, ChartOutputTexts::tr("Copying the numbers"),
      [make = output.table()](const Task&) -> Result<Copy> {
        const DataTable table = make();
        return Copy{toTabs(table), toCsv(table)};
      },
      [](Result<Copy> copy) {
        if (!copy) return;  // nothing in it can fail
        auto* data = new QMimeData;
        data->setText(QString::fromStdString(copy->tabs));
        data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(copy->csv));
        QGuiApplication::clipboard()->setMimeData(data);
      });
}

void fillMenu(QMenu& menu, Session& session, const ChartOutput& output) {
  const auto add = [&](const char* name, const QString& text, const QString& icon, bool enabled,
                       const std::function<void()>& run) {
    QAction* action = menu.addAction(themedIcon(icon), text, output.widget, run);
    action->setObjectName(QLatin1String(name));
    action->setEnabled(enabled);
  };
  const bool shown = !output.isEmpty();
  add("saveChart", ChartOutputTexts::tr("&Save as…"), QStringLiteral("export"), shown,
      [&session, &output] { askToSave(session, output); });
  add("copyChartPicture", ChartOutputTexts::tr("Copy &picture"), QStringLiteral("picture"), shown,
      [&output] { copyPicture(output); });
  add("copyChartData", ChartOutputTexts::tr("Copy &data"), QStringLiteral("copy"), shown,
      [&session, &output] { copyData(session, output); });
  // The tables of the panel are tables already.
  if (qobject_cast<ChartView*>(output.widget) != nullptr)
    add("showChartTable", ChartOutputTexts::tr("Show as &table"), QStringLiteral("table"), shown,
        [&session, &output] { showChartTable(session, output); });
  if (!output.switches.empty()) menu.addSeparator();
  for (const ChartOutput::Switch& entry : output.switches) {
    QAction* action = menu.addAction(entry.text);
    action->setCheckable(true);
    action->setChecked(entry.isOn());
    action->setEnabled(shown);
    QObject::connect(action, &QAction::triggered, output.widget, entry.set);
  }
  if (!output.showAll) return;
  menu.addSeparator();
  add("resetChartZoom", ChartOutputTexts::tr("Show &all"), QStringLiteral("fit"), output.isZoomed(),
      output.showAll);
}

}  // namespace clusterloom
