// Which columns are taken for those of a projection.
#include <QTest>

#include "engine/cloud/projection_names.h"
#include "tests/test_program.h"

using namespace clusterloom;

class ProjectionNames : public QObject {
  Q_OBJECT
 private slots:
  void names() {
    for (const char* name : {"umap_x", "UMAP1", "X_umap_2", "tSNE 1", "t-sne_b", "phate1"})
      QVERIFY2(isProjectionName(name), name);
    for (const char* name : {"x", "pca_1", "map", "sne", ""})
      QVERIFY2(!isProjectionName(name), name);
  }

  void proposals() {
    using Names = std::vector<std::string>;
    const auto of = [](const Names& names) { return proposedProjection(names); };
    QCOMPARE(of({"n_genes", "umap_x", "score", "umap_y"}), (Names{"umap_x", "umap_y"}));
    QCOMPARE(of({"umap_1", "tsne_1", "umap_2", "umap_3", "umap_4"}),
             (Names{"umap_1", "umap_2", "umap_3"}));
    QCOMPARE(of({"tsne10", "UMAP9", "TSNE11"}), (Names{"tsne10", "TSNE11"}));
    QCOMPARE(of({"umap_quality", "a", "b"}), (Names{"umap_quality", "a"}));
    QCOMPARE(of({"alone"}), Names{});
    QCOMPARE(of({}), Names{});
  }
};

GUILESS_TEST(ProjectionNames);
#include "tst_projection_names.moc"
