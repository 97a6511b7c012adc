#include "ui/session/load_lab.h"

#include <algorithm>
#include <utility>

#include "engine/join/strategy.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kLoadRestMs = 250;  // the load is computed when no parameter has changed for so long

}  // namespace

LoadLab::LoadLab(const SessionData& data, const ClusterRun& run, const DerivedResults& derived,
                 SessionValues values, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      derived_(derived),
      values_(values),
      load_(
          jobs, JobKind::WarpLoad, [this] { onLoad(); },
          [this](const Error& error) { fail(error); }, [this] { Q_EMIT changed(); }),
      light_(
          jobs, JobKind::WarpLight, [this] { Q_EMIT lightChanged(); },
          [this](const Error& error) { fail(error); }),
      restTimer_(kLoadRestMs, [this] { compute(); }) {
  connect(&data_, &SessionData::cloudChanged, this, [this] {
    failure_.clear();
    drop();
  });
  connect(&run_, &ClusterRun::resultChanged, this, &LoadLab::follow);
}

bool LoadLab::isWanted() const { return wanted_ > 0 || isOfLoad(values_.display.colourBy); }

void LoadLab::setWanted(bool wanted) {
  wanted_ = std::max(0, wanted_ + (wanted ? 1 : -1));
  if (isWanted())
    follow();
  else
    cancel();
}

std::optional<LoadQuestion> LoadLab::question() const {
  if (!run_.canRun() || !data_.euclideanCloud()) return std::nullopt;
  const Parameters& parameters = values_.parameters;
  LoadQuestion asked;
  asked.cloud = data_.cloud();
  asked.eps = parameters.dbscan.eps;
  asked.strategy = ofOneProcessor(asJoin(strategy_.value_or(parameters.strategy)));
  asked.strategy.indexedDims = parameters.strategy.indexedDims;
  asked.kernel = kernel_;
  asked.machine = machine_;
  asked.unweighted = unweighted_;
  return asked;
}

bool LoadLab::isReady() const {
  const bool lit = values_.selection.warp < 0 || light();
  return (isCurrent() && lit) || !failure_.isEmpty();
}

void LoadLab::drop() {
  load_.drop();
  follow();
  Q_EMIT changed();
}

void LoadLab::fail(const Error& error) {
  failure_ = QString::fromStdString(error.message);
  Q_EMIT changed();
}

void LoadLab::follow() {
  const auto asked = question();
  const bool waits = asked && isWanted() && !values_.dragging && !load_.isAsked(asked);
  waits ? restTimer_.start() : restTimer_.stop();
}

void LoadLab::compute() {
  restTimer_.stop();
  load_.retry();
  const auto asked = question();
  if (!asked || load_.isAsked(asked)) return;
  failure_.clear();
  load_.update(*asked, tr("Warp load"),
               [slot = run_.backendSlot(), asked = *asked](const Task& task) -> Result<LoadResult> {
                 const auto backend = slot->get();
                 if (!backend) return tl::unexpected(backend.error());
                 return loadOf(asked, **backend, task);
               });
  Q_EMIT changed();
}

void LoadLab::cancel() {
  restTimer_.stop();
  load_.stop();
}

void LoadLab::onLoad() {
  dropLight();
  if (const auto load = result()) {
    // Warps have other numbers now: only a point identifies one.
    const std::int64_t point = values_.selection.point;
    Q_EMIT warpPicked(point >= 0 ? load->warpOfPoint(static_cast<std::uint32_t>(point)) : -1);
    startLight();
  }
  Q_EMIT changed();
}

void LoadLab::followSelection() {
  const Selection& selection = values_.selection;
  const bool otherPoint = std::exchange(seenPoint_, selection.point) != selection.point;
  const bool otherCell = std::exchange(seenCell_, selection.cell) != selection.cell;
  const auto load = result();
  if (!load || load->asked.cloud != data_.cloud()) return;
  if (otherPoint && selection.point >= 0) {
    Q_EMIT warpPicked(load->warpOfPoint(static_cast<std::uint32_t>(selection.point)));
  } else if (otherCell && selection.cell >= 0 && derived_.gridCells()) {
    // A cell's points may lie in many warps: that of its first point is taken.
    const auto& cellOf = derived_.gridCells()->cellOfPoint;
    const auto found = std::find(cellOf.begin(), cellOf.end(), selection.cell);
    if (found != cellOf.end())
      Q_EMIT warpPicked(load->warpOfPoint(static_cast<std::uint32_t>(found - cellOf.begin())));
  }
  startLight();
}

void LoadLab::startLight() {
  const std::int64_t warp = values_.selection.warp;
  const auto load = result();
  if (!load || warp < 0 || warp >= std::int64_t(load->report->allWarps)) return dropLight();
  if (light_.isAsked(std::pair(load, warp))) return;
  dropLight();
  light_.update({load, warp}, tr("Warp %1").arg(count(static_cast<std::uint64_t>(warp))),
                [load, warp](const Task& task) {
                  return warpLightOf(*load, static_cast<std::uint32_t>(warp), task);
                });
}

void LoadLab::setLightStep(std::int64_t step) {
  if (std::exchange(lightStep_, light() ? step : -1) != lightStep_) Q_EMIT lightStepChanged();
}

void LoadLab::dropLight() {
  lightStep_ = -1;
  light_.drop();
}

}  // namespace clusterloom
