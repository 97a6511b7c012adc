#include "ui/window/welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/io/format_table.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"

namespace clusterloom {

namespace {
constexpr int kSamplesPerRow = 4;
constexpr int kColumnWidth = 760;
constexpr int kRecentPerRow = 2;
constexpr std::size_t kMostRecent = 6;
constexpr int kRecentPadding = 52;  // icon and margins of a button for a recent file

/// "CSV", "session".
QString kindOf(const RecentFile& file) {
  return file.isSession
             ? clusterloom::WelcomePage::tr("session")
             : QString::fromStdString(extensionOf(file.path.toStdString())).mid(1).toUpper();
}

QString folderOf(const RecentFile& file) {
  const QString folder = QFileInfo(file.path).absolutePath();
  const QString home = QDir::homePath();
  const bool below = folder == home || folder.startsWith(home + QLatin1Char('/'));
  return QDir::toNativeSeparators(below ? QLatin1Char('~') + folder.mid(home.size()) : folder);
}

}  // namespace

/// A file name above its kind and folder, both cut to the width of the button.
class RecentButton : public QPushButton {
 public:
  using QPushButton::QPushButton;

  const RecentFile& file() const { return file_; }
  void setFile(const RecentFile& file) {
    file_ = file;
    const QString name = QFileInfo(file.path).fileName();
    setIcon(themedIcon(file.isSession ? QStringLiteral("save") : QStringLiteral("file")));
    setToolTip(QDir::toNativeSeparators(file.path));
    setAccessibleName(
        WelcomePage::tr("Open %1, %2, in %3").arg(name, kindOf(file), folderOf(file)));
    cutText();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QPushButton::resizeEvent(event);
    cutText();
  }

 private:
  void cutText() {
    const int space = width() - fontScaled(kRecentPadding);
    const QString kind = kindOf(file_);
    const QString below =
        kind.isEmpty() ? folderOf(file_) : kind + QStringLiteral("  ·  ") + folderOf(file_);
    QString text =
        fontMetrics().elidedText(QFileInfo(file_.path).fileName(), Qt::ElideMiddle, space) +
        QLatin1Char('\n') + fontMetrics().elidedText(below, Qt::ElideMiddle, space);
    setText(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
  }

  RecentFile file_;
};

std::vector<Sample> samples() {
  const auto spec = [](const char* kind, std::size_t points, std::size_t dims) {
    GeneratorSpec made;
    made.kind = kind;
    made.points = points;
    made.dims = dims;
    made.seed = 1;
    return made;
  };
  return {
      {WelcomePage::tr("Shapes"), WelcomePage::tr("9,000 points, 2-D"),
       QStringLiteral("sample-shapes"), spec("shapes", 9000, 2)},
      {WelcomePage::tr("Blobs"), WelcomePage::tr("20,000 points, 2-D"),
       QStringLiteral("sample-blobs"), spec("blobs", 20000, 2)},
      {WelcomePage::tr("Moons"), WelcomePage::tr("5,000 points, 2-D"),
       QStringLiteral("sample-moons"), spec("moons", 5000, 2)},
      {WelcomePage::tr("Rings"), WelcomePage::tr("10,000 points, 2-D"),
       QStringLiteral("sample-rings"), spec("rings", 10000, 2)},
      {WelcomePage::tr("Varied density"), WelcomePage::tr("30,000 points, 2-D"),
       QStringLiteral("sample-varied"), spec("varied", 30000, 2)},
      {WelcomePage::tr("Spiral"), WelcomePage::tr("10,000 points, 2-D"),
       QStringLiteral("sample-spiral"), spec("spiral", 10000, 2)},
      {WelcomePage::tr("Blobs in space"), WelcomePage::tr("100,000 points, 3-D"),
       QStringLiteral("sample-space"), spec("blobs", 100000, 3)},
      {WelcomePage::tr("Exponential"), WelcomePage::tr("100,000 points, 2-D"),
       QStringLiteral("sample-expo"), spec("expo", 100000, 2)},
  };
}

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("welcomePage"));
  auto* column = new QWidget(this);
  column->setMaximumWidth(fontScaled(kColumnWidth));
  auto* layout = new QVBoxLayout(column);
  layout->setSpacing(0);

  auto* title = new QLabel(tr("Which points belong together?"), column);
  title->setProperty("role", "title");
  title->setAlignment(Qt::AlignCenter);
  title->setWordWrap(true);
  auto* lead =
      mutedLabel(column, tr("Open a point cloud, drag ε, and watch exact DBSCAN clusters form."));
  lead->setAlignment(Qt::AlignCenter);
  layout->addWidget(title);
  layout->addSpacing(6);
  layout->addWidget(lead);
  layout->addSpacing(22);

  auto* open = named("welcomeOpen", new QPushButton(tr("Open a &point cloud…"), column));
  open->setDefault(true);
  open->setIconSize({fontScaled(18), fontScaled(18)});
  open->setMinimumHeight(fontScaled(38));
  auto* drop = mutedLabel(
      column,
      tr("or drop a file here: %1, or a session").arg(QString::fromStdString(readTitles())));
  drop->setAlignment(Qt::AlignCenter);
  layout->addWidget(open, 0, Qt::AlignHCenter);
  layout->addSpacing(8);
  layout->addWidget(drop);
  layout->addSpacing(28);

  makeRecent(column);
  layout->addWidget(recent_);

  auto* orTry = new QLabel(tr("Or try a sample"), column);
  orTry->setProperty("role", "heading");
  orTry->setAlignment(Qt::AlignCenter);
  layout->addWidget(orTry);
  layout->addSpacing(10);
  layout->addLayout(makeSamples(column));
  layout->addSpacing(22);

  layout->addLayout(makeLearning(column));

  auto* outer = spaced(new QVBoxLayout(this), {24, 24, 24, 24});
  outer->addStretch(1);
  auto* centred = new QHBoxLayout;
  centred->addStretch(1);
  centred->addWidget(column, 1000);
  centred->addStretch(1);
  outer->addLayout(centred);
  outer->addStretch(1);
  column->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
  setFocusProxy(open);
}

void WelcomePage::makeRecent(QWidget* column) {
  recent_ = new QWidget(column);
  auto* recentLayout = spaced(new QGridLayout(recent_), {0, 0, 0, 24}, 8);
  auto* recentTitle = new QLabel(tr("Recent files"), recent_);
  recentTitle->setProperty("role", "heading");
  recentTitle->setAlignment(Qt::AlignCenter);
  recentLayout->addWidget(recentTitle, 0, 0, 1, kRecentPerRow);
  for (int place = 0; place < int(kMostRecent); ++place) {
    auto* button = named("recentButton", new RecentButton(recent_));
    button->setIconSize({fontScaled(18), fontScaled(18)});
    // As wide as its column: a long name is cut.
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(button, &QPushButton::clicked, this,
            [this, button] { Q_EMIT recentRequested(RecentFile(button->file())); });
    recentLayout->addWidget(button, 1 + place / kRecentPerRow, place % kRecentPerRow);
    recentButtons_.push_back(button);
  }
  for (int at = 0; at < kRecentPerRow; ++at) recentLayout->setColumnStretch(at, 1);
  recent_->hide();
}

QLayout* WelcomePage::makeSamples(QWidget* column) {
  auto* grid = new QGridLayout;
  grid->setSpacing(10);
  int index = 0;
  for (const Sample& sample : samples()) {
    auto* button = named("sampleButton", new QToolButton(column),
                         tr("Sample: %1, %2").arg(sample.name, sample.summary));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIcon(colouredIcon(sample.icon));
    button->setIconSize({132, 88});
    button->setText(sample.name + QLatin1Char('\n') + sample.summary);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(button, &QToolButton::clicked, this,
            [this, spec = sample.spec] { Q_EMIT sampleRequested(spec); });
    grid->addWidget(button, index / kSamplesPerRow, index % kSamplesPerRow);
    ++index;
  }
  return grid;
}

QLayout* WelcomePage::makeLearning(QWidget* column) {
  auto* learn = new QHBoxLayout;
  learn->setSpacing(10);
  learn->addStretch(1);
  learn->addWidget(mutedLabel(column, tr("New here?")));
  const auto add = [&](const char* name, const QString& text, const QString& says) {
    auto* button = named(name, new QPushButton(text, column));
    button->setToolTip(says);
    learn->addWidget(button);
    return button;
  };
  auto* guide = add("welcomeGuide", tr("Read the guide"), tr("The user's guide (F1)"));
  auto* lessons = add("welcomeLessons", tr("Take a lesson"),
                      tr("Why the warps of a GPU idle, and what helps (Ctrl+F1)"));
  learn->addStretch(1);
  connect(guide, &QPushButton::clicked, this, &WelcomePage::guideRequested);
  connect(lessons, &QPushButton::clicked, this, &WelcomePage::lessonsRequested);
  return learn;
}

void WelcomePage::setRecent(const std::vector<RecentFile>& files) {
  for (std::size_t place = 0; place < kMostRecent; ++place) {
    RecentButton* button = recentButtons_[place];
    button->setVisible(place < files.size());
    if (place < files.size()) button->setFile(files[place]);
  }
  recent_->setVisible(!files.empty());
}

void WelcomePage::setDropHover(bool hover) {
  dropHover_ = hover;
  update();
}

void WelcomePage::paintEvent(QPaintEvent*) {
  const ThemeColours& colours = themeColours(palette());
  QPainter painter(this);
  painter.fillRect(rect(), colours.canvas);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(dropHover_ ? colours.accent : colours.line, dropHover_ ? 2.5 : 1.5);
  pen.setDashPattern({5, 4});
  painter.setPen(pen);
  if (dropHover_) painter.setBrush(colours.infoFill);
  painter.drawRoundedRect(QRectF(rect()).adjusted(14, 14, -14, -14), 12, 12);
}

}  // namespace clusterloom
