// Wrong calls of clusterloom-cli cluster.
#include "wrong_calls.h"

class TestCliWrongCluster : public QObject, WrongCalls {
  Q_OBJECT

 private slots:
  void initTestCase() { makeFiles(); }
  void wrongCalls_data();
  void wrongCalls() { refuse(); }

 private:
  void addLimitsOfMemory();
  void addBackendsAndStrategies();
};

void TestCliWrongCluster::wrongCalls_data() {
  addColumns();
  addLimitsOfMemory();
  addBackendsAndStrategies();
  add("cluster", "FILE");
  add("cluster cloud.csv", "--min-pts");
  add("cluster cloud.csv --min-pts 3", "--eps");
  add("cluster cloud.csv --eps 1", "--min-pts");
  add("cluster cloud.csv --eps 1 --sweep-eps 1:2:3 --min-pts 3", "not both");
  add("cluster cloud.csv --eps 0 --min-pts 3", "ε");
  add("cluster cloud.csv --eps -1 --min-pts 3", "ε");
  add("cluster cloud.csv --eps nan --min-pts 3", "finite");
  add("cluster cloud.csv --eps inf --min-pts 3", "finite");
  add("cluster cloud.csv --eps 1e-200 --min-pts 3", "ε");
  add("cluster cloud.csv --eps one --min-pts 3", "'one'");
  add("cluster cloud.csv --eps 1,5 --min-pts 3", "1.5");
  add("cluster cloud.csv --eps 1x --min-pts 3", "'1x'");
  add("cluster cloud.csv --eps 1e-400 --min-pts 3", "underflows");
  add("cluster cloud.csv --eps 1e400 --min-pts 3", "overflows");
  add("cluster cloud.csv --eps 0x1p3 --min-pts 3", "'0x1p3'");
  add("cluster cloud.csv --eps 1 --min-pts 0x10", "'0x10'");
  add("cluster cloud.csv --eps 1 --min-pts 18446744073709551619", "1 to 2147483647");
  add("cluster cloud.csv --eps 1 --min-pts 2.5", "'2.5'");
  add("cluster cloud.csv --eps 1 --min-pts 3 --threads 4294967298", "--threads");
  add("cluster cloud.csv --eps 1 --min-pts 3 --batch-size 18446744073709551617", "--batch-size");
  add("cluster cloud.csv --eps 1 --min-pts 3 --scale 1,1e999", "overflows");
  add("cluster cloud.csv --eps 1 --min-pts 3 --scale 1e308,1", "factor");
  add("cluster cloud.csv --eps 1 --min-pts 0", "--min-pts");
  add("cluster cloud.csv --eps 1 --min-pts -4", "--min-pts");
  add("cluster cloud.csv --eps 1 --min-pts few", "few");
  add("cluster cloud.csv --eps 1 --min-pts 3 --index-dims 3", "indexed");
  add("cluster cloud.csv --eps 1 --min-pts 3 --index-dims 0", "--index-dims");
  add("cluster cloud.csv --eps 1 --min-pts 3 --provenance maybe", "--provenance");
  add("cluster cloud.csv --eps 1 --min-pts 3 --provenance on",
      "--provenance needs one of --labels, --clusters, --image.");
  add("hdbscan cloud.csv --provenance on", "--provenance needs one of --labels, --probabilities");
  add("label cloud.csv --from cloud.csv --eps 1 --min-pts 3 --provenance on",
      "--provenance needs --labels.");
  add("cluster cloud.csv --eps 1 --min-pts 3 --dataset t",
      "--dataset is for HDF5, FITS and NPZ files");
  add("cluster cloud.csv --eps 1 --min-pts 3 --scale half", "zscore");
  add("cluster cloud.csv --eps 1 --min-pts 3 --scale 1,2,3", "factor");
  add("cluster cloud.csv --eps 1 --min-pts 3 --columns c0,c7", "c7");
  add("cluster cloud.csv --eps 1 --min-pts 3 --columns 9", "9");
  add("cluster cloud.csv --eps 1 --min-pts 3 --delimiter x", "--delimiter");
  add("cluster cloud.csv --eps 1 --min-pts 3 --header maybe", "--header");
  add("cluster cloud.csv --eps 1 --min-pts 3 --labels out.txt", ".npy");
  add("cluster cloud.csv --eps 1 --min-pts 3 --labels out", ".npy");
  add("cluster cloud.csv --eps 1 --min-pts 3 --labels nowhere/out.csv", "nowhere");
  add("cluster cloud.csv --eps 1 --min-pts 3 --labels cloud.csv", "overwrite");
  add("cluster cloud.csv --eps 1 --min-pts 3 --labels ./folder/../cloud.csv", "overwrite");
  add("cluster cloud.csv --eps 1 --min-pts 3 --labels o.csv --clusters o.csv", "both");
  add("cluster cloud.csv --eps 1 --min-pts 3 --clusters o.npy", ".csv");
  add("cluster cloud.csv --eps 1 --min-pts 3 --allow-loss", "--allow-loss needs --labels.");
  add("cluster cloud.csv --eps 1 --min-pts 3 --clusters o.csv --allow-loss", "needs --labels.");
  add("cluster cloud.csv --eps 1 --min-pts 3 --ranks 2 --labels o.npy --allow-loss",
      "which several ranks do not write");
  add("cluster cloud.csv --sweep-eps 1:2:3 --min-pts 3 --labels o.csv", "--sweep-eps");
  add("cluster cloud.csv --sweep-eps 1:2 --min-pts 3", "A:B:N");
  add("cluster cloud.csv --sweep-eps 1:2:0 --min-pts 3", "A:B:N");
  add("cluster cloud.csv --sweep-eps 1:1e-400:2 --min-pts 3", "underflows");
  add("cluster cloud.csv --sweep-eps 1:2:x --min-pts 3", "A:B:N");
  add("cluster cloud.csv --sweep-eps 2:1:3 --min-pts 3", "");
  add("cluster cloud.csv --sweep-eps 0:1:3 --min-pts 3", "");
  add("cluster cloud.csv --sweep-eps 1:inf:3 --min-pts 3", "");
  // Before the file is read, which is not there, and before a line of the sweep.
  add("cluster none.csv --eps 0 --min-pts 3", "ε must be a positive");
  add("cluster none.csv --eps 1 --min-pts 3 --memory 128M --scratch nowhere",
      "--scratch 'nowhere': there is no such folder");
  add("cluster cloud.csv --sweep-eps 1:1e200:3 --min-pts 3", "ε is too large");
  add("cluster cloud.csv --sweep-eps 1:100:3 --min-pts 3 --period 90,90", "half of each period");
  add("cluster cloud.csv --sweep-eps 1:2:20000 --min-pts 3", "from 1 to 10000");
  add("cluster cloud.csv --eps 1 -m 3", "Not expected: '-m'");
  add("cluster cloud.csv --eps 1 --min-pts 3 --warp 9", "'--warp'");
  add("cluster --nosuch", "'--nosuch'");
  add("cluster --min-pt 3", "--min-pts?");
  add("cluster cloud.csv --esp 1 --min-pts 3", "--eps?");
  add("cluster cloud.csv --lables=o.csv", "did you mean --labels?");
  add("cluster cloud.csv one.csv two.csv --eps 1 --min-pts 3", "'one.csv', 'two.csv'");
  add("cluster cloud.csv --eps 1 --min-pts 3 --columns c0,,c1", "--columns");
  add("cluster cloud.csv more.csv --eps 1 --min-pts 3", "more.csv");
  add("cluster cloud.csv --eps 1 --min-pts 3 --backend cpu --devices 0,1", "auto or cuda");
  add("cluster cloud.csv --eps 1 --min-pts 3 --devices 1,1", "GPU 1 twice");
  add("cluster cloud.csv --eps 1 --min-pts 3 --devices 0 --device 0", "not by both");
  add("cluster cloud.csv --eps 1 --min-pts 3 --devices 0,x", "--devices");
  for (const char* option : {"--labels", "--clusters", "--image", "--columns", "--scale"})
    QTest::addRow("empty %s", option)
        << QStringList{"cluster", "cloud.csv", "--eps", "1", "--min-pts", "3", option, ""}
        << option;
  QTest::newRow("empty --eps") << QStringList{"cluster", "cloud.csv", "--eps", "", "--min-pts", "3"}
                               << "''";
#ifndef CLUSTERLOOM_HAS_CUDA
  add("cluster cloud.csv --eps 1 --min-pts 3 --devices all",
      "Several GPUs (--devices) need the backend cuda");
  add("cluster cloud.csv --eps 1 --min-pts 3 --devices 0,1 --clusters out.csv",
      "Several GPUs (--devices) need the backend cuda");
#endif
}

void TestCliWrongCluster::addBackendsAndStrategies() {
  add("cluster cloud.csv --eps 1 --min-pts 3 --backend mpi", "no backend called mpi");
  add("cluster cloud.csv --eps 1 --min-pts 3 --backend simt", "finds no pairs");
  add("cluster cloud.csv --eps 1 --min-pts 3 --backend cpu --division dyn", "backend hybrid");
  add("cluster cloud.csv --eps 1 --min-pts 3 --threads-per-point 8", "GPU");
  add("cluster cloud.csv --eps 1 --min-pts 3 --threads-per-point 3", "1, 2, 4");
  add("cluster cloud.csv --eps 1 --min-pts 3 --result-route key-value-sort", "--result-route");
  add("cluster cloud.csv --eps 1 --min-pts 3 --streams 2", "streams");
  add("cluster cloud.csv --eps 1 --min-pts 3 --streams 0", "--streams");
  add("cluster cloud.csv --eps 1 --min-pts 3 --block-size 64", "blocks");
  add("cluster cloud.csv --eps 1 --min-pts 3 --backend cpu --device 0", "--device");
  add("cluster cloud.csv --eps 1 --min-pts 3 --device first", "--device");
  add("cluster cloud.csv --eps 1 --min-pts 3 --threads 0", "--threads");
  add("cluster cloud.csv --eps 1 --min-pts 3 --pattern half", "lid-unicomp");
  add("cluster cloud.csv --eps 1 --min-pts 3 --order random", "sort-by-workload");
  add("cluster cloud.csv --eps 1 --min-pts 3 --method magic", "g-dbscan-shared-tiles");
  add("cluster cloud.csv --eps 1 --min-pts 3 --backend cpu --method g-dbscan", "for GPUs");
  add("cluster cloud.csv --eps 1 --min-pts 3 --method brute-force --order input", "query order");
  add("cluster cloud.csv --eps 1 --min-pts 3 --reorder yes", "on, off");
  add("cluster cloud.csv --eps 1 --min-pts 3 --precision 16", "--precision");
  add("cluster cloud.csv --eps 1 --min-pts 3 --batch-size 0", "--batch-size");
}

void TestCliWrongCluster::addLimitsOfMemory() {
  add("cluster cloud.csv --eps 1 --min-pts 3 --scratch folder", "--scratch needs --memory");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 4", "K, M, G or T");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 4GB", "not '4GB'");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 99999999T", "such as 4G");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 100M", "128 MiB");
  add("cluster cloud.csv --sweep-eps 1:2:3 --min-pts 3 --memory 1G",
      "--sweep-eps needs all points");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --ranks 2", "leave --memory out");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --every 2", "leave --every out");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --weights w", "there is no column");
  add("join cloud.csv --eps 1 --scratch folder", "--scratch needs --memory");
  add("join cloud.csv --eps 1 --memory 1G --pairs p.npy", "--pairs, --histogram");
  add("join cloud.csv --eps 1 --memory 1G --devices all", "leave --memory out");
  add("label cloud.csv --from cloud.csv --eps 1 --min-pts 3 --scratch folder",
      "--scratch needs --memory");
  add("label cloud.csv --from cloud.csv --eps 1 --min-pts 3 --memory 1G --labels l.csv", "as .npy");
  add("label cloud.csv --from cloud.csv --eps 1 --min-pts 3 --memory 1G --metric cosine "
      "--period 9,9",
      "--metric excludes --period");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --by plot", "--by needs");
  add("cluster cloud.csv --eps 1 --min-pts 3 --by plot", "no column");
  add("cluster cloud.csv --eps 1 --min-pts 3 --by plot --metric cosine", "--by is not possible");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --period 1,1",
      "less than half of each period");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --scale unit", "--scale unit");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --clusters c.csv", "--clusters");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --provenance on", "--provenance");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --labels l.csv", "as .npy");
  add("cluster cloud.csv --eps 1 --min-pts 3 --memory 1G --method g-dbscan", "for GPUs");
}

GUILESS_TEST(TestCliWrongCluster);
#include "tst_cli_wrong_cluster.moc"
