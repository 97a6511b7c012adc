#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QTextStream>

/// Writes a few made-up rows into the folder, in the layouts of the real data sets of the papers,
/// under the names that the guide's page paper-data.md uses.
inline void writePaperFiles(const QString& folder) {
  constexpr int kRows = 120;
  const auto write = [&](const char* name, const QString& head, const auto& row) {
    QFile file(QDir(folder).filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("%s cannot be written", name);
    QTextStream text(&file);
    text << head;
    for (int i = 0; i < kRows; ++i) text << row(i) << '\n';
  };
  /// From 0 to 1, another number for each row and column.
  const auto some = [](int row, int column) { return (row * 7919 + column * 104729) % 1000 / 1e3; };
  /// First cell, then `coordinates` coordinates.
  const auto features = [&](int coordinates, const char* separator, const auto& first) {
    return [=](int row) {
      QString line = first(row);
      for (int c = 0; c < coordinates; ++c) line += separator + QString::number(some(row, c));
      return line;
    };
  };
  const auto image = [](int row) { return QString::number(row + 1); };
  write("ColorHistogram.asc", "", features(32, " ", image));
  write("LayoutHistogram.asc", "", features(32, " ", image));
  write("CoocTexture.asc", "", features(16, " ", image));
  write("SUSY.csv", "",
        features(18, ",", [](int row) { return QString::number(row % 2, 'e', 18); }));
  write("YearPredictionMSD.txt", "",
        features(90, ",", [](int row) { return QString::number(1922 + row % 90); }));
  write("sw.csv", "", [&](int row) {
    return QString("%1,%2,%3")
        .arg(some(row, 0) * 90)
        .arg(some(row, 1) * 180)
        .arg(some(row, 2) * 50);
  });
  write("sdss.csv", "#Table1\nra,dec,z\n", [&](int row) {
    return QString("%1,%2,%3")
        .arg(some(row, 0) * 360)
        .arg(some(row, 1) * 90)
        .arg(0.3 + some(row, 2) / 20);
  });
  write("GaiaSource.csv",
        "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
        "# - {name: solution_id, datatype: int64}\n"
        "solution_id,designation,source_id,random_index,ref_epoch,ra,ra_error,dec,dec_error\n",
        [&](int row) {
          return QString("1636148068921376768,\"Gaia DR3 %1\",%1,%2,2016.0,%3,0.1,%4,0.1")
              .arg(4295806720 + row)
              .arg(row * 17)
              .arg(some(row, 0) * 360)
              .arg(some(row, 1) * 180 - 90);
        });
  write("simple-gps-points.txt", "", [&](int row) {
    return QString("%1,%2").arg(int(some(row, 0) * 9e8)).arg(int(some(row, 1) * 18e8) - 900000000);
  });
}
