#pragma once

#include <QObject>
#include <QString>
#include <cstdint>

#include "engine/blocks/block_forecast.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/dbscan/clustering.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// How all rows of a file are clustered.
struct WholeFileOrder {
  DbscanParams params;
  QString labels;            ///< the file that is written (.npy)
  std::uint64_t memory = 0;  ///< bytes, kLeastBlockMemory or more
  QString scratch;           ///< an existing folder for files that are removed at the end
};

/// The minPts for all rows of a file that stands for the same density as `minPts` among one row of
/// `every`: 1 + every · (minPts − 1).
std::int64_t minPtsOfAllRows(std::int64_t minPts, std::uint64_t every);

/// The part of the session that clusters all rows of the open file where only some of them were
/// read, because all do not fit into the memory: block by block, with files on disk
/// (engine/blocks/blocks_in_turn.h). The labels are written to a file and shown on the rows that
/// were read. It goes on when other data is opened; then the labels are only written.
class WholeFile : public QObject {
  Q_OBJECT

 public:
  WholeFile(const SessionData& data, const ClusterRun& run, const Parameters& parameters,
            OpenedLabels& labels, SessionFiles& files, JobQueue& jobs, QObject* parent);

  /// Whether one row of several was read of a file.
  bool isPartOnShow() const;
  /// Why all rows cannot be clustered like the rows on show, in words; empty where they can.
  QString objection() const;
  /// minPtsOfAllRows for the rows that were read of the file on show.
  std::int64_t minPtsOfAll(std::int64_t minPts) const;
  /// Starts the job WholeFile. Refuses what `objection` objects to, an open file as the output, and
  /// a second run beside one that is under way.
  void start(const WholeFileOrder& order);
  /// Forecasts that run by a measurement of a few seconds; `forecastMade` follows, unless another
  /// forecast or `stopForecast` comes first.
  void forecast(const WholeFileOrder& order);
  void stopForecast();

 Q_SIGNALS:
  /// The forecast of the newest order; `why` says why it is impossible, else it is empty.
  void forecastMade(const clusterloom::BlockForecast& forecast, const QString& why);
  /// The labels are written. `isShown`: the rows on show are still those of the file, in the same
  /// units, and their labels follow.
  void finished(const clusterloom::BlockRun& run, const QString& labels, bool isShown);

 private:
  BlockFile file() const;
  BlockOptions optionsOf(const WholeFileOrder& order) const;

  const SessionData& data_;
  const ClusterRun& run_;
  const Parameters& parameters_;
  OpenedLabels& labels_;
  SessionFiles& files_;
  JobQueue& jobs_;
};

}  // namespace clusterloom
