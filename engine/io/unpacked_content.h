#pragma once

#include <cstdint>
#include <memory>

#include "engine/core/result.h"
#include "engine/io/byte_source.h"
#include "engine/io/input_stream.h"

namespace clusterloom {

/// The rest of a stream in memory, for readers that read compressed content at several places, or
/// more than once; null as soon as it seems to take more than `most` bytes, which are never passed.
/// Errors of the stream.
Result<std::unique_ptr<ByteSource>> contentInMemory(InputStream& in, std::uint64_t most);

}  // namespace clusterloom
