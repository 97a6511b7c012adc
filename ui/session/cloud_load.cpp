#include "ui/session/cloud_load.h"

#include <QFileInfo>
#include <numeric>
#include <utility>

#include "engine/cloud/coordinate_order.h"
#include "engine/core/number_text.h"
#include "engine/dbscan/backend_in_space.h"
#include "ui/session/session_data.h"
#include "ui/session/subset.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// The sign between thousands that a remark names.
QString thousandsSignText(const std::string& word) {
  if (word == "comma") return SessionData::tr("a comma");
  if (word == "point") return SessionData::tr("a point");
  return word == "blank" ? SessionData::tr("a blank") : SessionData::tr("an apostrophe");
}

QString numberInWords(const std::string& number) {
  return QString::fromStdString(withSigns(number, Groups::None));
}

/// The sentence of a remark on a column of the file, and where the window reads it otherwise.
QString remarkText(const QString& file, const ColumnRemark& remark) {
  const auto part = [&](std::size_t i) { return QString::fromStdString(remark.parts[i]); };
  switch (remark.kind) {
    case ColumnRemark::Kind::FirstRowAsNames:
      return SessionData::tr(
                 "%1: line %2 is taken as names of the columns (Header under Columns… takes it as "
                 "data)")
          .arg(file, part(0));
    case ColumnRemark::Kind::FirstRowAsData:
      return SessionData::tr(
                 "%1: line %2 is taken as data (Header under Columns… takes it as names)")
          .arg(file, part(0));
    case ColumnRemark::Kind::Thousands:
      return SessionData::tr(
                 "%1: %2 is taken as the thousands separator: %3 is %4 (Thousands under Columns… "
                 "changes this)")
          .arg(file, thousandsSignText(remark.parts[0]), part(1), numberInWords(remark.parts[2]));
    case ColumnRemark::Kind::PerhapsThousands:
      if (remark.parts[2].empty())
        return SessionData::tr(
                   "%1: %3 is read as text; if %2 is the thousands separator, choose it at "
                   "Thousands under Columns…")
            .arg(file, thousandsSignText(remark.parts[0]), part(1));
      return SessionData::tr(
                 "%1: %3 is read as %4; if %2 is the thousands separator, choose it at Thousands "
                 "under Columns…")
          .arg(file, thousandsSignText(remark.parts[0]), part(1), numberInWords(remark.parts[2]));
    case ColumnRemark::Kind::TurnedToText:
      return SessionData::tr(
                 "%1: the column %2 holds numbers and is read as text, because line %3 holds "
                 "%4")
          .arg(file, part(1), part(2), part(3));
    case ColumnRemark::Kind::Constant: break;
  }
  return SessionData::tr("%1: the coordinate %2 is %3 in all rows (choose others with Columns…)")
      .arg(file, part(0), numberInWords(remark.parts[1]));
}

}  // namespace

Result<Dataset> readOrGenerate(const OpenRequest& request, const Task& task,
                               const PartialReads& partial) {
  if (request.sample) return generate(*request.sample, task);
  auto dataset = readDataset(request.path.toStdString(), request.read, task, partial);
  if (dataset && dataset->source.hash.empty()) {
    auto hash = hashFile(request.path.toStdString(), task);
    if (!hash) return tl::unexpected(hash.error());
    dataset->source.hash = *hash;
  }
  return dataset;
}

Result<void> checkPoints(const PointSet& points, const Dataset& whole) {
  if (!points || (!points->empty() && points->back() < whole.cloud.size())) return {};
  return badInput(
      SessionData::tr("The session names point %1, but the data has only %2 points now.")
          .arg(count(points->empty() ? 0 : points->back()), count(whole.cloud.size()))
          .toStdString());
}

QString changeOf(const CloudState& saved, const Dataset& whole) {
  if (saved.sample || saved.dataHash.isEmpty() || saved.dataHash.toStdString() == whole.source.hash)
    return {};
  return SessionData::tr("%1 has changed since the session was saved; the clusters may differ.")
      .arg(QFileInfo(saved.dataPath).fileName());
}

QStringList columnRemarks(const Dataset& whole) {
  const QString file = QFileInfo(QString::fromStdString(whole.source.path)).fileName();
  QStringList remarks;
  if (!whole.leftOut.empty()) {
    QStringList names;
    for (const std::string& name : whole.leftOut) names << QString::fromStdString(name);
    remarks << SessionData::tr(
                   "%1: not taken as coordinates because of their names or values: %2 (choose "
                   "others with Columns…)")
                   .arg(file, names.join(QStringLiteral(", ")));
  }
  if (whole.linesBefore > 0)
    remarks << SessionData::tr(
                   "%1: the table begins in line %2; the lines before it were skipped (Skip lines "
                   "under Columns… changes this)")
                   .arg(file, count(whole.linesBefore + 1));
  for (const ColumnRemark& remark : whole.remarks) remarks << remarkText(file, remark);
  for (const std::string& name : whole.roundedCoordinates)
    remarks << SessionData::tr(
                   "%1: the coordinate %2 holds integers of 2⁵³ or more, which are rounded; "
                   "different ones may have become equal")
                   .arg(file, QString::fromStdString(name));
  return remarks;
}

Result<ReadyCloud> readyCloud(const std::shared_ptr<const Dataset>& whole,
                              const CloudChoice& choice, const Task& task) {
  ReadyCloud ready;
  ready.choice = choice;
  ready.choice.space = inOrderOfNames(choice.space, whole->cloud);
  ready.dataset = whole;
  const PointSet& kept = choice.kept;
  if (kept) {
    task.report("taking points", 0);
    auto part = subsetOf(*whole, *kept, OtherRows::Skipped, task);
    if (!part) return tl::unexpected(part.error());
    ready.dataset = std::make_shared<const Dataset>(std::move(*part));
  }
  const RowOfPoint rowOf = [rows = FileRows(*whole), kept](std::size_t point) {
    return rows(kept ? (*kept)[point] : point);
  };
  auto values = weightsOf(ready.dataset, choice.weights, rowOf);
  if (!values) return tl::unexpected(values.error());
  ready.weights = std::move(*values);
  if (ready.weights)
    ready.meanWeight = std::accumulate(ready.weights->begin(), ready.weights->end(), 0.0) /
                       static_cast<double>(ready.weights->size());
  if (choice.scaling.kind == Scaling::Kind::None) {
    ready.cloud = std::shared_ptr<const PointCloud>(ready.dataset, &ready.dataset->cloud);
  } else {
    task.report("scaling", 0);
    // Of the whole: points that are removed do not change the unit of ε.
    auto scaling = makeScaling(choice.scaling.kind, whole->cloud, choice.scaling.factors);
    if (!scaling) return tl::unexpected(scaling.error());
    if (task.cancelled()) return cancelledError();
    ready.cloud = std::make_shared<const PointCloud>(applyScaling(ready.dataset->cloud, *scaling));
    ready.scaling = std::move(*scaling);
  }
  if (task.cancelled()) return cancelledError();
  ready.prepared = std::make_shared<const PreparedCloud>(ready.cloud);
  if (auto valid = ready.prepared->valid(); !valid) return tl::unexpected(valid.error());
  if (auto fits = checkSpace(ready.choice.space, ready.scaling, *ready.cloud, rowOf); !fits)
    return tl::unexpected(fits.error());
  const std::size_t sampled = previewPoints(ready.cloud->size(), ready.cloud->dims());
  ready.sample = std::make_shared<const PreviewSample>(makePreviewSample(*ready.cloud, sampled));
  return ready;
}

}  // namespace clusterloom
