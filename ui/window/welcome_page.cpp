#include "ui/window/welcome_page.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/io/format_table.h"
#include "ui/panels/form.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace clusterloom {

namespace {
constexpr int kSamplesPerRow = 4;
constexpr int kColumnWidth = 760;
}  // namespace

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
  column->setMaximumWidth(kColumnWidth);
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

  auto* open = new QPushButton(tr("&Open a point cloud…"), column);
  open->setObjectName(QStringLiteral("welcomeOpen"));
  open->setDefault(true);
  open->setIconSize({18, 18});
  open->setMinimumHeight(38);
  auto* drop = mutedLabel(
      column,
      tr("or drop a file here: %1, or a session").arg(QString::fromStdString(readTitles())));
  drop->setAlignment(Qt::AlignCenter);
  layout->addWidget(open, 0, Qt::AlignHCenter);
  layout->addSpacing(8);
  layout->addWidget(drop);
  layout->addSpacing(28);

  auto* orTry = new QLabel(tr("Or try a sample"), column);
  orTry->setProperty("role", "heading");
  orTry->setAlignment(Qt::AlignCenter);
  layout->addWidget(orTry);
  layout->addSpacing(10);
  auto* grid = new QGridLayout;
  grid->setSpacing(10);
  int index = 0;
  for (const Sample& sample : samples()) {
    auto* button = new QToolButton(column);
    button->setObjectName(QStringLiteral("sampleButton"));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIcon(colouredIcon(sample.icon));
    button->setIconSize({132, 88});
    button->setText(sample.name + QLatin1Char('\n') + sample.summary);
    button->setAccessibleName(tr("Sample: %1, %2").arg(sample.name, sample.summary));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(button, &QToolButton::clicked, this,
            [this, spec = sample.spec] { Q_EMIT sampleRequested(spec); });
    grid->addWidget(button, index / kSamplesPerRow, index % kSamplesPerRow);
    ++index;
  }
  layout->addLayout(grid);
  layout->addSpacing(22);

  auto* learn = new QHBoxLayout;
  learn->setSpacing(10);
  learn->addStretch(1);
  learn->addWidget(mutedLabel(column, tr("New here?")));
  const auto add = [&](const char* name, const QString& text, const QString& says) {
    auto* button = new QPushButton(text, column);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(says);
    learn->addWidget(button);
    return button;
  };
  auto* guide = add("welcomeGuide", tr("Read the guide"), tr("The user's guide (F1)"));
  auto* lessons = add("welcomeLessons", tr("Take a lesson"),
                      tr("Why the warps of a GPU idle, and what helps (Ctrl+F1)"));
  learn->addStretch(1);
  layout->addLayout(learn);
  connect(guide, &QPushButton::clicked, this, &WelcomePage::guideRequested);
  connect(lessons, &QPushButton::clicked, this, &WelcomePage::lessonsRequested);

  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(24, 24, 24, 24);
  outer->addStretch(1);
  outer->addWidget(column, 0, Qt::AlignHCenter);
  outer->addStretch(1);
  column->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  column->setMinimumWidth(560);
  connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
  setFocusProxy(open);
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
