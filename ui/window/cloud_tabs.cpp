#include "ui/window/cloud_tabs.h"

#include <QMouseEvent>
#include <QSignalBlocker>

#include "ui/session/open_clouds.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"

namespace clusterloom {

CloudTabs::CloudTabs(Session& session, QWidget* parent) : QTabBar(parent), session_(session) {
  setObjectName(QStringLiteral("cloudTabs"));
  setAccessibleName(tr("Open clouds"));
  setDocumentMode(true);
  setDrawBase(false);
  setExpanding(false);
  setElideMode(Qt::ElideMiddle);
  setUsesScrollButtons(true);
  setMovable(true);
  OpenClouds* const clouds = &session_.clouds();
  connect(this, &QTabBar::currentChanged, clouds, [clouds](int index) {
    if (index >= 0) clouds->show(index);
  });
  connect(this, &QTabBar::tabMoved, clouds, &OpenClouds::move);
  connect(clouds, &OpenClouds::changed, this, &CloudTabs::follow);
  follow();
}

void CloudTabs::setShown(bool shown) {
  shown_ = shown;
  follow();
}

void CloudTabs::step(int by) {
  if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void CloudTabs::follow() {
  const QSignalBlocker block(this);
  const OpenClouds& clouds = session_.clouds();
  const QStringList titles = clouds.titles();
  while (count() > clouds.count()) removeTab(count() - 1);
  for (int i = 0; i < clouds.count(); ++i) {
    QString title = titles[i];
    title.replace(QLatin1Char('&'), QLatin1String("&&"));
    if (i == count()) addCloud(title);
    setTabText(i, title);
    setTabToolTip(i, clouds.description(i));
    const QString close = tr("Close %1").arg(titles[i]);
    tabButton(i, RightSide)->setAccessibleName(close);
    tabButton(i, RightSide)->setToolTip(close);
  }
  setCurrentIndex(clouds.wanted());
  setVisible(shown_ && clouds.count() > 1);
}

/// The button of the style shows a red cross on grey in every theme.
void CloudTabs::addCloud(const QString& title) {
  constexpr int kCross = 12;
  QToolButton* const button = iconButton(this, QStringLiteral("cancel"), {});
  button->setIconSize({fontScaled(kCross), fontScaled(kCross)});
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QToolButton::clicked, this, [this, button] {
    for (int i = 0; i < count(); ++i)
      if (tabButton(i, RightSide) == button) return Q_EMIT closeAsked(i);
  });
  setTabButton(addTab(title), RightSide, button);
}

void CloudTabs::mouseReleaseEvent(QMouseEvent* event) {
  const int tab = tabAt(event->position().toPoint());
  if (event->button() == Qt::MiddleButton && tab >= 0) return Q_EMIT closeAsked(tab);
  QTabBar::mouseReleaseEvent(event);
}

}  // namespace clusterloom
