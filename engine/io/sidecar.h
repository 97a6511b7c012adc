#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/io/output_set.h"
#include "engine/io/write.h"

namespace clusterloom {

/// The file that holds the provenance of the file at `path`, where its format does not hold it:
/// FILE.provenance.json.
std::string sidecarOf(const std::string& path);

/// Whether the provenance of a file of this extension stands beside it.
bool hasSidecar(const std::string& path);

/// Whether the file is a provenance that this program wrote. A link is not.
bool isOwnSidecar(const std::string& path);

/// Prepares the sidecar of `path`, unless there is nothing to say.
Result<void> prepareSidecar(OutputSet& outputs, const std::string& path,
                            const Provenance& provenance);

}  // namespace clusterloom
