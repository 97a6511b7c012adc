#pragma once

#include <memory>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "render/scene/store_points.h"
#include "render/scene/stored_points.h"

namespace clusterloom {

/// The points of a file that is a tree of levels of detail itself (engine/io/file_tree.h), without
/// writing anything: its nodes are decoded when they are drawn. Null where it is none that can be
/// drawn on the axes of the sample; storePoints then does it. Errors as FileTree::open.
Result<std::shared_ptr<const StoredPoints>> openTreePoints(const StoreOrder& order,
                                                           const Task& task);

}  // namespace clusterloom
