#pragma once

namespace clusterloom {

/// What helps where a cloud would have more than kMaxDims dimensions, for messages.
inline constexpr const char* kFewerDims =
    "Choose fewer columns, or reduce them before, in Python: "
    "sklearn.decomposition.PCA(256).fit_transform(X), or by umap-learn "
    "umap.UMAP(n_components=10).fit_transform(X).";

}  // namespace clusterloom
