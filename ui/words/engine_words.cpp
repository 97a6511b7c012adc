#include "ui/words/engine_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/core/number_signs.h"

namespace clusterloom {
namespace {

// Labels and help of strategyOptions(), as they are written there.
constexpr const char* kOptions[] = {
    QT_TRANSLATE_NOOP("Engine", "Method"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "How pairs are found; the options below are the grid's. r-tree, super-ego "
        "and new-super-ego run on the CPU, products on the CPU or one GPU; the two of "
        "EGO take --precision, "
        "new-super-ego also --order work-queue; g-dbscan is for DBSCAN on a GPU and "
        "takes --short-circuit"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The R-tree is that of [Gowanlock 2018]. Super-EGO and New-Super-EGO are those of [Gallet "
        "2020], with each pair of sequences compared once instead of twice. The G-DBSCAN versions "
        "are those of [Frasson 2021], but for shared tiles, which is Clusterloom's own: it copies "
        "all candidates to shared memory, tile by tile, where the paper's version holds only the "
        "points of the block. Products, Clusterloom's own, compares all points by integer "
        "products of rounded coordinates and is taken by itself where that is cheaper than the "
        "grid"),
    QT_TRANSLATE_NOOP("Engine", "grid"),
    QT_TRANSLATE_NOOP("Engine", "brute force"),
    QT_TRANSLATE_NOOP("Engine", "R-tree"),
    QT_TRANSLATE_NOOP("Engine", "Super-EGO"),
    QT_TRANSLATE_NOOP("Engine", "New-Super-EGO"),
    QT_TRANSLATE_NOOP("Engine", "products, rounded"),
    QT_TRANSLATE_NOOP("Engine", "G-DBSCAN, paper"),
    QT_TRANSLATE_NOOP("Engine", "G-DBSCAN, no transfer"),
    QT_TRANSLATE_NOOP("Engine", "G-DBSCAN, shifted access"),
    QT_TRANSLATE_NOOP("Engine", "G-DBSCAN, shared memory"),
    QT_TRANSLATE_NOOP("Engine", "G-DBSCAN, shared tiles"),
    QT_TRANSLATE_NOOP("Engine", "Indexed dims (k)"),
    QT_TRANSLATE_NOOP("Engine", "How many dimensions the grid indexes, at most those of the cloud"),
    QT_TRANSLATE_NOOP("Engine", "Pattern"),
    QT_TRANSLATE_NOOP("Engine", "Which cells a query point compares with"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Full, UNICOMP and LID-UNICOMP are those of the papers; tiles are Clusterloom's own: query "
        "points of neighbouring cells read rows of cells together"),
    QT_TRANSLATE_NOOP("Engine", "full"),
    QT_TRANSLATE_NOOP("Engine", "UNICOMP"),
    QT_TRANSLATE_NOOP("Engine", "LID-UNICOMP"),
    QT_TRANSLATE_NOOP("Engine", "tile"),
    QT_TRANSLATE_NOOP("Engine", "Order"),
    QT_TRANSLATE_NOOP("Engine", "The order in which query points are processed"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "WORKQUEUE differs from the paper in two points: the first lane of a warp takes the "
        "tickets "
        "of all its query points at once, where in the paper each query point takes its own; and "
        "batches have about equal results, where in the paper they have equally many query points"),
    QT_TRANSLATE_NOOP("Engine", "input"),
    QT_TRANSLATE_NOOP("Engine", "unit bins"),
    QT_TRANSLATE_NOOP("Engine", "cell"),
    QT_TRANSLATE_NOOP("Engine", "SORTBYWL"),
    QT_TRANSLATE_NOOP("Engine", "WORKQUEUE"),
    QT_TRANSLATE_NOOP("Engine", "Precision"),
    QT_TRANSLATE_NOOP("Engine", "Bits of the first distance; near ties are always decided in 64"),
    QT_TRANSLATE_NOOP("Engine", "64-bit"),
    QT_TRANSLATE_NOOP("Engine", "32-bit, rechecked"),
    QT_TRANSLATE_NOOP("Engine", "Threads/point"),
    QT_TRANSLATE_NOOP("Engine", "GPU threads that share a query point; a CPU supports only 1"),
    QT_TRANSLATE_NOOP("Engine", "REORDER"),
    QT_TRANSLATE_NOOP("Engine", "Index the dimensions of highest variance first"),
    QT_TRANSLATE_NOOP("Engine", "auto"),
    QT_TRANSLATE_NOOP("Engine", "on"),
    QT_TRANSLATE_NOOP("Engine", "off"),
    QT_TRANSLATE_NOOP("Engine", "SORTIDU"),
    QT_TRANSLATE_NOOP("Engine",
                      "Sort each cell by one more dimension and scan only the window of ±ε"),
    QT_TRANSLATE_NOOP("Engine", "SHORTC"),
    QT_TRANSLATE_NOOP("Engine", "Stop a distance once its partial sum passes ε²"),
    QT_TRANSLATE_NOOP("Engine", "In G-DBSCAN auto means off"),
    QT_TRANSLATE_NOOP("Engine", "Dense cells"),
    QT_TRANSLATE_NOOP("Engine", "Take cells whose points are all neighbours as one set"),
    QT_TRANSLATE_NOOP("Engine", "Early stop"),
    QT_TRANSLATE_NOOP("Engine", "Stop counting neighbours at minPts"),
    QT_TRANSLATE_NOOP("Engine", "Result route"),
    QT_TRANSLATE_NOOP("Engine", "How a GPU returns pairs to the host"),
    QT_TRANSLATE_NOOP("Engine", "count, scan, fill"),
    QT_TRANSLATE_NOOP("Engine", "key/value pairs, sorted"),
    QT_TRANSLATE_NOOP("Engine", "Batch size"),
    QT_TRANSLATE_NOOP("Engine", "Pairs per batch"),
    QT_TRANSLATE_NOOP("Engine", "Streams"),
    QT_TRANSLATE_NOOP("Engine", "CUDA streams that batches are spread over"),
    QT_TRANSLATE_NOOP("Engine", "Block size"),
    QT_TRANSLATE_NOOP("Engine", "Threads of a CUDA block, a multiple of 32"),
    QT_TRANSLATE_NOOP("Engine", "Division"),
    QT_TRANSLATE_NOOP("Engine", "How CPU and GPU share the queries; for the backend hybrid only"),
    QT_TRANSLATE_NOOP("Engine",
                      "The GPU takes the queries with the most candidates, the CPU those with the "
                      "fewest. HEGJoin-Dyn hands out batches on demand; SQ and SC give the GPU a "
                      "fixed share of the queries or of the candidates; adaptive, which is "
                      "Clusterloom's own, shrinks the batches until both end together"),
    QT_TRANSLATE_NOOP("Engine", "adaptive"),
    QT_TRANSLATE_NOOP("Engine", "HEGJoin-Dyn"),
    QT_TRANSLATE_NOOP("Engine", "HEGJoin-SQ, by queries"),
    QT_TRANSLATE_NOOP("Engine", "HEGJoin-SC, by candidates"),
    QT_TRANSLATE_NOOP("Engine", "CPU method"),
    QT_TRANSLATE_NOOP("Engine", "How the CPU does its share; for the backend hybrid only"),
    QT_TRANSLATE_NOOP("Engine", "CPU batch"),
    QT_TRANSLATE_NOOP("Engine",
                      "Queries that a CPU thread takes at once; for the backend hybrid only"),
    QT_TRANSLATE_NOOP("Engine", "Auto means 1,024. The adaptive division begins with it"),
    QT_TRANSLATE_NOOP("Engine", "Reference ε"),
    QT_TRANSLATE_NOOP("Engine",
                      "ε at which fixed shares are measured; for the divisions queries and "
                      "candidates only"),
    QT_TRANSLATE_NOOP("Engine",
                      "Both processors are timed there by a sample of the queries, and the times "
                      "are scaled by the volume of the search, as in [Gallet 2020]. Auto times "
                      "them at the ε of the join"),
};

// How fileFormats() call labelled points in a file.
constexpr const char* kExports[] = {
    QT_TRANSLATE_NOOP("Engine", "CSV text"),
    QT_TRANSLATE_NOOP("Engine", "NPY, labels only (one per row read)"),
    QT_TRANSLATE_NOOP("Engine", "PLY point cloud"),
    QT_TRANSLATE_NOOP("Engine", "LAS, with the label as extra bytes"),
    QT_TRANSLATE_NOOP("Engine", "LAZ, compressed LAS"),
    QT_TRANSLATE_NOOP("Engine", "HDF5, one dataset a column"),
    QT_TRANSLATE_NOOP("Engine", "FITS, a binary table"),
    QT_TRANSLATE_NOOP("Engine", "VTP for ParaView"),
};

// The phrases of describe(Strategy) and of Backend::describe(), with %1 for a number.
constexpr const char* kPhrases[] = {
    QT_TRANSLATE_NOOP("Engine", "%1 thread"),
    QT_TRANSLATE_NOOP("Engine", "%1 threads"),
    QT_TRANSLATE_NOOP("Engine", "%1 rank"),
    QT_TRANSLATE_NOOP("Engine", "%1 ranks"),
    QT_TRANSLATE_NOOP("Engine", "input order"),
    QT_TRANSLATE_NOOP("Engine", "bins order"),
    QT_TRANSLATE_NOOP("Engine", "cell order"),
    QT_TRANSLATE_NOOP("Engine", "sort-by-workload order"),
    QT_TRANSLATE_NOOP("Engine", "work-queue order"),
    QT_TRANSLATE_NOOP("Engine", "%1 threads per point"),
    QT_TRANSLATE_NOOP("Engine", "no REORDER"),
    QT_TRANSLATE_NOOP("Engine", "no SORTIDU"),
    QT_TRANSLATE_NOOP("Engine", "no SHORTC"),
    QT_TRANSLATE_NOOP("Engine", "dense cells"),
    QT_TRANSLATE_NOOP("Engine", "no dense cells"),
    QT_TRANSLATE_NOOP("Engine", "early stop"),
    QT_TRANSLATE_NOOP("Engine", "no early stop"),
    QT_TRANSLATE_NOOP("Engine", "32-bit"),
    QT_TRANSLATE_NOOP("Engine", "pairs sorted by key"),
    QT_TRANSLATE_NOOP("Engine", "batches of %1 pairs"),
    QT_TRANSLATE_NOOP("Engine", "%1 streams"),
    QT_TRANSLATE_NOOP("Engine", "blocks of %1"),
    QT_TRANSLATE_NOOP("Engine", "CPU batches of %1 queries"),
    QT_TRANSLATE_NOOP("Engine", "reference ε %1"),
};

// What long calls report to their Task.
constexpr const char* kStages[] = {
    QT_TRANSLATE_NOOP("Engine", "EGO-sort"),
    QT_TRANSLATE_NOOP("Engine", "border points"),
    QT_TRANSLATE_NOOP("Engine", "building the R-tree"),
    QT_TRANSLATE_NOOP("Engine", "building the dendrogram"),
    QT_TRANSLATE_NOOP("Engine", "building the kd-tree"),
    QT_TRANSLATE_NOOP("Engine", "building the spanning tree"),
    QT_TRANSLATE_NOOP("Engine", "building the tree"),
    QT_TRANSLATE_NOOP("Engine", "cells"),
    QT_TRANSLATE_NOOP("Engine", "clustering"),
    QT_TRANSLATE_NOOP("Engine", "collecting pairs"),
    QT_TRANSLATE_NOOP("Engine", "core test"),
    QT_TRANSLATE_NOOP("Engine", "counting"),
    QT_TRANSLATE_NOOP("Engine", "counting neighbours"),
    QT_TRANSLATE_NOOP("Engine", "dividing space"),
    QT_TRANSLATE_NOOP("Engine", "estimating the number of pairs"),
    QT_TRANSLATE_NOOP("Engine", "filling"),
    QT_TRANSLATE_NOOP("Engine", "finding ghosts"),
    QT_TRANSLATE_NOOP("Engine", "finding nearest clusters"),
    QT_TRANSLATE_NOOP("Engine", "finding neighbours"),
    QT_TRANSLATE_NOOP("Engine", "rounding coordinates"),
    QT_TRANSLATE_NOOP("Engine", "ordering points"),
    QT_TRANSLATE_NOOP("Engine", "following the clusters"),
    QT_TRANSLATE_NOOP("Engine", "generating"),
    QT_TRANSLATE_NOOP("Engine", "growing clusters"),
    QT_TRANSLATE_NOOP("Engine", "hashing"),
    QT_TRANSLATE_NOOP("Engine", "index"),
    QT_TRANSLATE_NOOP("Engine", "laying out"),
    QT_TRANSLATE_NOOP("Engine", "listing border points"),
    QT_TRANSLATE_NOOP("Engine", "looking for labels"),
    QT_TRANSLATE_NOOP("Engine", "mapping ε and minPts"),
    QT_TRANSLATE_NOOP("Engine", "measuring clusters"),
    QT_TRANSLATE_NOOP("Engine", "measuring k-distances"),
    QT_TRANSLATE_NOOP("Engine", "measuring speeds"),
    QT_TRANSLATE_NOOP("Engine", "merging clusters"),
    QT_TRANSLATE_NOOP("Engine", "moving points"),
    QT_TRANSLATE_NOOP("Engine", "ordering"),
    QT_TRANSLATE_NOOP("Engine", "placing border points"),
    QT_TRANSLATE_NOOP("Engine", "projecting"),
    QT_TRANSLATE_NOOP("Engine", "reading"),
    QT_TRANSLATE_NOOP("Engine", "reserving memory"),
    QT_TRANSLATE_NOOP("Engine", "reserving memory for pairs"),
    QT_TRANSLATE_NOOP("Engine", "resampling"),
    QT_TRANSLATE_NOOP("Engine", "building the trees of clusters"),
    QT_TRANSLATE_NOOP("Engine", "clustering in blocks"),
    QT_TRANSLATE_NOOP("Engine", "sampling queries"),
    QT_TRANSLATE_NOOP("Engine", "sampling the workload"),
    QT_TRANSLATE_NOOP("Engine", "scaling"),
    QT_TRANSLATE_NOOP("Engine", "schedule"),
    QT_TRANSLATE_NOOP("Engine", "sorting the edges"),
    QT_TRANSLATE_NOOP("Engine", "sweeping ε"),
    QT_TRANSLATE_NOOP("Engine", "taking points"),
    QT_TRANSLATE_NOOP("Engine", "timing queries"),
    QT_TRANSLATE_NOOP("Engine", "tracing warps"),
    QT_TRANSLATE_NOOP("Engine", "uniting"),
    QT_TRANSLATE_NOOP("Engine", "writing"),
    QT_TRANSLATE_NOOP("Engine", "writing pairs"),
};

}  // namespace

QString engineText(std::string_view english) {
  const QByteArray text(english.data(), qsizetype(english.size()));
  return QCoreApplication::translate("Engine", text.constData());
}

QString engineList(std::string_view english) {
  static const QRegularExpression separator(QStringLiteral("(, | · | \\+ )"));
  static const QRegularExpression number(QStringLiteral("\\d+(\\.\\d+)?(e[-+]\\d+)?"));
  const auto translated = [](const QString& phrase) {
    const QRegularExpressionMatch found = number.match(phrase);
    QString form = phrase;
    if (found.hasMatch())
      form.replace(found.capturedStart(), found.capturedLength(), QStringLiteral("%1"));
    const QString text = engineText(form.toStdString());
    if (!found.hasMatch()) return text;
    return text.arg(
        QString::fromStdString(withSigns(found.captured().toStdString(), Groups::None)));
  };
  const QString all = QString::fromUtf8(english.data(), qsizetype(english.size()));
  QString text;
  qsizetype from = 0;
  for (auto at = separator.globalMatch(all); at.hasNext();) {
    const QRegularExpressionMatch found = at.next();
    text += translated(all.mid(from, found.capturedStart() - from)) + found.captured();
    from = found.capturedEnd();
  }
  return text + translated(all.mid(from));
}

QStringList engineTexts() {
  QStringList all;
  for (const char* text : kOptions) all << QString::fromUtf8(text);
  for (const char* text : kPhrases) all << QString::fromUtf8(text);
  for (const char* text : kExports) all << QString::fromUtf8(text);
  for (const char* text : kStages) all << QString::fromUtf8(text);
  return all;
}

}  // namespace clusterloom
