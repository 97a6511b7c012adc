#pragma once

#include <string>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// Advice for messages about clouds of more than kMaxDims dimensions.
inline constexpr const char* kFewerDims =
    "Choose fewer columns, or reduce them first, in Python: "
    "sklearn.decomposition.PCA(256).fit_transform(X), or by umap-learn "
    "umap.UMAP(n_components=10).fit_transform(X).";

/// The refusal of a cloud with this number of dimensions, more than kMaxDims.
inline Error tooManyDims(std::size_t dims) {
  return {ErrorKind::BadInput, "The cloud has " + std::to_string(dims) + " dimensions; at most " +
                                   std::to_string(kMaxDims) + " are possible. " + kFewerDims};
}

}  // namespace clusterloom
