#pragma once

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
#include "engine/io/read.h"

namespace clusterloom {

/// The type of a file: by its first bytes, and by the extension of its name where these do not
/// decide. The stream is at its start and is not consumed. BadInput, naming a conversion where
/// there is one, for an empty file and for formats that are not supported.
Result<Format> detectFormat(InputStream& in);

}  // namespace clusterloom
