#include "ui/session/weights.h"

#include <QCoreApplication>

#include "engine/dbscan/weighted_dbscan.h"

namespace clusterloom {

namespace {

struct WeightsTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::Weights)
};

Error withRemedy(Error error) {
  error.message = WeightsTexts::tr("Weights: %1 Choose another column, or none, below minPts.")
                      .arg(QString::fromStdString(error.message))
                      .toStdString();
  return error;
}

}  // namespace

Result<Weights> weightsOf(const std::shared_ptr<const Dataset>& dataset, const QString& column,
                          const RowOfPoint& rowOf) {
  if (column.isEmpty()) return Weights();
  const auto found = weightColumn(*dataset, column.toStdString());
  if (!found) return tl::unexpected(withRemedy(found.error()));
  Weights weights = doublesOf(dataset, **found);
  if (auto fine = checkWeights(*weights, dataset->cloud.size(), rowOf); !fine)
    return tl::unexpected(withRemedy(fine.error()));
  return weights;
}

QStringList weightColumns(const Dataset& dataset) {
  QStringList names;
  for (const Attribute& attribute : dataset.attributes)
    if (weightColumn(dataset, attribute.name)) names << QString::fromStdString(attribute.name);
  return names;
}

}  // namespace clusterloom
