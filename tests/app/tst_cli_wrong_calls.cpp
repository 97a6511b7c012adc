// Wrong calls of clusterloom-cli but for those of cluster, which are in tst_cli_wrong_cluster.cpp.
#include "wrong_calls.h"

class TestCliWrongCalls : public QObject, WrongCalls {
  Q_OBJECT

 private slots:
  void initTestCase() { makeFiles(); }
  void wrongCalls_data();
  void wrongCalls() { refuse(); }

 private:
  void addOfLabels();  ///< validity, hdbscan, label and compare
};

void TestCliWrongCalls::wrongCalls_data() {
  addColumns();
  addOfLabels();
  add("", "subcommand");
  add("loads cloud.csv --eps 1", "'loads'");
  add("clusters cloud.csv", "choose one of cluster, join, ");
  add("handout", "LESSON");
  add("handout 1", "--output, --lane-view or --notebook");
  add("handout 1 --output o.docx", ".pdf");
  add("handout 1 --output folder/none/o.html", "none");
  add("handout 1 --slides --notebook o.ipynb", "--output");
  add("handout 1 --step 2 --output o.html", "--lane-view");
  add("handout 1 --lane-view o.html --step 0", "--step");
  add("handout 1 --lane-view o.html --output o.html", "o.html");
  add("handout cloud.csv --notebook o.txt", ".ipynb");
  add("knn cloud.csv -k 2 --neighbours 3", "--neighbours is given more than once");
  add("load cloud.csv --eps 1 --warp 3", "--lane-view");
  add("load cloud.csv --eps 1 --lane-view o.png", ".html");
  add("load cloud.csv --eps 1 --lane-view o.html --warp 9", "numbered from 0");
  add("load cloud.csv --eps 1 --lane-view o.html --backend cuda", "measures");
  add("load cloud.csv --sweep-eps 1:2:2 --lane-view o.html", "--sweep-eps");
  add("generate blobs --seed -1 out.csv", "--seed");
  add("generate Expo2D2M --dims 3 out.csv", "2 dimensions");
  add("generate Expo2D2 out.csv", "Expo2D2");
  add("papers lbjoin-table-9", "lists them");
  add("papers lbjoin-table-6", "from a --file of Gaia");
  add("papers lbjoin-table-6 --file cloud.csv", "--dataset");
  add("papers lbjoin-table-6 --file cloud.csv --dataset SW2DA --points 500", "--points");
  add("papers lbjoin-table-5 --file cloud.csv --dataset Expo2D2M", "read from a file");
  add("papers lbjoin-table-5 --dataset SW2DA", "generated");
  for (const char* option : {"--scale unit", "--columns 0", "--every 2", "--skip-non-finite",
                             "--delimiter comma", "--decimal-comma"})
    add(qPrintable(QString("papers lbjoin-table-5 ") + option), "--file");
  add("papers lbjoin-table-5 --points 10", "--points");
  add("generate blobs --seed 18446744073709551616 out.csv", "--seed");
  add("generate blobs --points 2147483648 out.csv", "--points");
  add("join cloud.csv --eps 1 --backend cpu --cpu-method new-super-ego", "backend hybrid");
  add("join cloud.csv --eps 1 --backend cpu --cpu-batch 64", "backend hybrid");
  add("join cloud.csv --eps 1 --division half", "dyn, queries, candidates");
  add("join cloud.csv --eps 1 --backend cpu --reference-eps 2", "backend hybrid");
  add("join cloud.csv --eps 1 --reference-eps 0", "a number above 0, or auto");
  add("join cloud.csv --eps 1 --method super-ego --order work-queue", "query order");
  add("join cloud.csv --eps 1 --cpu-batch 0", "--cpu-batch");
  add("join cloud.csv --eps 1 --backend abacus", "abacus");
  add("join cloud.csv --eps 1 --pairs p.npy --backend cpu --result-route key-value-sort",
      "cpu backend");
  add("join cloud.csv --eps 1 --result-route key-value-sort", "--pairs");
  add("join cloud.csv --eps 1 --bins 5", "--histogram");
  add("join cloud.csv --eps 1 --histogram h.csv --bins 0", "1 to 4096");
  add("join cloud.csv --eps 1 --histogram h.npy", ".csv");
  // Before the file is read, which is not there.
  add("join none.csv --eps 1 --metric cosine --histogram h.csv", "no histogram of cosine");
  add("join none.csv --eps 1 --geographic 0,1 --histogram h.csv", "no histogram of great-circle");
  add("hdbscan none.csv --min-cluster-size 5 --labels l.h5.gz", "cannot be compressed");
  add("cluster none.csv --eps 1 --min-pts 5 --labels l.copc.laz", "COPC is not written");
  add("generate blobs --points 10 out.laz.zst", "cannot be compressed");
  add("generate blobs --points 10 --truth out.npy", "coordinates only");
  add("join cloud.csv --eps 1 --histogram h.csv --method brute-force", "grid");
  add("join cloud.csv --eps 1 --pairs p.npy --result-route sorted", "count-scan-fill");
  add("join cloud.csv --eps 1 --method g-dbscan", "DBSCAN");
  add("join cloud.csv", "--eps");
  add("join cloud.csv --eps 1 --min-pts 3", "--min-pts");
  add("join cloud.csv --eps 1 --counts o.csv", ".npy");
  add("join cloud.csv --sweep-eps 1:2:2 --pairs o.npy", "--sweep-eps");
  add("join cloud.csv --eps 1 --dense-cells on", "--dense-cells");
  add("plan cloud.csv", "--eps");
  add("plan cloud.csv --eps 1 --ranks 0", "--ranks");
  add("plan cloud.csv --eps 1 --ranks 1,,2", "--ranks");
  add("plan cloud.csv --eps 1 --ranks 1,2,", "--ranks");
  add("join cloud.csv --eps 1 --backend cpu --devices 0,1", "auto or cuda");
  add("join cloud.csv --eps 1 --devices 0,x", "--devices");
  add("join cloud.csv --eps 1 --devices 0 --device 0", "not by both");
  add("join cloud.csv --eps 1 --query-sets 8", "--devices");
  add("join cloud.csv --eps 1 --deal queue", "--devices");
  add("join cloud.csv --eps 1 --devices all --deal any", "fixed, single or queue");
  add("join cloud.csv --with cloud.csv --eps 1 --min-pts-curve c.csv", "one cloud only");
  add("join cloud.csv --sweep-eps 1:2:3 --min-pts-curve c.csv", "one --eps");
  add("join cloud.csv --eps 1 --min-pts-curve c.npy", ".csv");
  add("plan cloud.csv --eps 1 --network 0", "--network");
  add("plan cloud.csv --eps 1 --latency -1", "--latency");
  add("plan cloud.csv --eps 1 --candidates-per-second 0", "--candidates-per-second");
  add("plan cloud.csv --eps 1 --query-sets 0", "--query-sets");
  add("plan cloud.csv --eps 1 --min-pts 0", "--min-pts");
  add("plan cloud.csv --eps 1 --min-pts 65", "--min-pts");
  add("plan cloud.csv --eps 1 --method brute-force", "grid");
  add("plan cloud.csv --eps 1 --metric median", "There is no metric 'median'");
  add("plan cloud.csv --eps 1 --metric precomputed", "for cluster and hdbscan");
  add("plan cloud.csv --eps 1 --metric manhattan --pattern full", "Joins by Manhattan");
  add("plan cloud.csv --eps 1 --pattern unicomp",
      "for parts of it or two clouds; choose full or tile");
  add("plan cloud.csv --eps 1 --method r-tree", "choose the method grid");
  add("join cloud.csv --with cloud.csv --eps 1 --histogram h.csv --method r-tree",
      "choose the method grid");
  add("join cloud.csv --eps 1e-153 --histogram h.csv", "Use fewer bins");
  add("join cloud.csv --eps 1 --batch-size 0", "a whole number from 1, or auto, not '0'");
  for (const char* call :
       {"knn none.csv -k 2", "hierarchy none.csv --min-pts 3", "hdbscan none.csv"})
    add((std::string(call) + " --backend hybrid").c_str(), "auto, cpu or cuda, not by hybrid");
  add("info", "FILE");
  add("info -c.csv", "a file of this name is written ./-c.csv");
  add("info cloud.csv --min-pts 1000", "--min-pts 1000: cloud.csv has only");
  add("--eps 1 cluster cloud.csv --min-pts 3", "Not expected: '--eps', '1'");
  add("--bash-completion info cloud.csv", "--bash-completion stands alone");
  add("handout 1 --language xx --output o.html", "--language takes en or de");
  QTest::newRow("empty FILE") << QStringList{"info", ""} << "FILE";
  QTest::newRow("empty OUT") << QStringList{"generate", "blobs", ""} << "OUT";
#ifndef CLUSTERLOOM_HAS_CUDA
  add("join cloud.csv --eps 1 --devices all", "Several GPUs (--devices) need the backend cuda");
#endif
}

void TestCliWrongCalls::addOfLabels() {
  add("validity cloud.csv", "LABELS");
  add("validity cloud.csv cloud.csv --resample 5", "--eps");
  add("validity cloud.csv cloud.csv --eps 1 --min-pts 3", "--resample");
  add("validity cloud.csv cloud.csv --no-dbcv", "--resample");
  add("validity cloud.csv cloud.csv --seed 3", "--resample");
  add("validity cloud.csv cloud.csv --resample 0 --eps 1 --min-pts 3", "--resample");
  add("validity cloud.csv cloud.csv --resample 5 --eps 0 --min-pts 3", "ε must be a positive");
  add("validity cloud.csv cloud.csv --resample 5 --eps 1 --min-pts 3 --share 1", "--share");
  add("validity cloud.csv cloud.csv --clusters out.npy", ".csv");
  add("hdbscan cloud.csv --min-cluster-size 1", "--min-cluster-size");
  add("hdbscan cloud.csv --min-pts 1025", "--min-pts");
  add("hdbscan cloud.csv --select best", "eom or leaves, not 'best'");
  add("hdbscan cloud.csv --select leaves --allow-single-cluster", "never a leaf");
  add("hdbscan cloud.csv --select leaves --max-cluster-size 9", "--select eom");
  add("hdbscan cloud.csv --selection-eps -1", "--selection-eps must be 0 or above");
  add("hdbscan cloud.csv --condensed-tree tree.npy", ".csv");
  add("hdbscan cloud.csv --outlier-scores scores.csv", ".npy");
  add("hdbscan cloud.csv --labels cloud.csv", "cloud.csv");
  add("hdbscan cloud.csv --probabilities p.csv", ".npy");
  add("hdbscan cloud.csv --clusters tree.npy", ".csv");
  add("hdbscan cloud.csv --probabilities p.npy --allow-loss", "--allow-loss needs --labels.");
  add("label cloud.csv --from cloud.csv --eps 1 --min-pts 3 --allow-loss",
      "--allow-loss needs --labels.");
  add("compare a.npy", "OTHER");
  add("compare a.npy b.npy c.npy", "c.npy");
  add("compare a.npy b.npy --eps 1", "--eps");
}

GUILESS_TEST(TestCliWrongCalls);
#include "tst_cli_wrong_calls.moc"
