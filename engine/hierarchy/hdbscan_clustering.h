#pragma once

#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/hdbscan.h"

namespace clusterloom {

/// The clusters of HDBSCAN* as a clustering, as views and exports want it: labels without roles,
/// since HDBSCAN* has no core and border points. Of `params` only minPts was used.
Clustering asClustering(const FlatClusters& flat, const DbscanParams& params);

}  // namespace clusterloom
