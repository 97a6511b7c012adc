#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cuda/runtime/memory.h"

namespace clusterloom {

// Sorts, scans and selections of device memory, from the CUDA toolkit's library. Its headers cost
// many seconds a source file, so device_algorithms.cu alone includes them. All work is queued on
// the lease's stream; nothing waits unless it says so.

/// Stable sort of keys with their values by the keys' lowest `bits` bits. The buffers may come back
/// exchanged for others of the same size.
void sortByKey(const Lease& lease, DeviceBuffer<std::uint32_t>& keys,
               DeviceBuffer<std::uint32_t>& values, int bits);
void sortByKey(const Lease& lease, DeviceBuffer<std::uint64_t>& keys,
               DeviceBuffer<std::uint32_t>& values, int bits);
/// Stable, heaviest first.
void sortByKeyDescending(const Lease& lease, DeviceBuffer<std::uint64_t>& keys,
                         DeviceBuffer<std::uint32_t>& values, int bits);
/// Ascending, without values.
void sortKeys(const Lease& lease, DeviceBuffer<std::uint32_t>& keys, int bits);
/// The same for the first `used` keys and all their bits below `bits`; keys after them are lost.
void sortKeys(const Lease& lease, DeviceBuffer<std::uint64_t>& keys, std::size_t used, int bits);

/// Sorts each of `rows` rows of `keys` for itself, ascending: row r is keys[start[r]] to
/// keys[start[r + 1] − 1]. The buffer may come back exchanged for another of the same size.
void sortRows(const Lease& lease, DeviceBuffer<std::uint32_t>& keys, std::size_t used,
              const std::uint64_t* start, std::size_t rows);

/// out[i] = in[0] + … + in[i − 1] for i < n; in and out may be the same.
void exclusiveScan(const Lease& lease, const std::uint32_t* in, std::uint32_t* out, std::size_t n);
/// The same, summed in 64 bits.
void exclusiveScan(const Lease& lease, const std::uint32_t* in, std::uint64_t* out, std::size_t n);

/// out[i] = the greatest of in[0] … in[i]; in and out may be the same.
void runningMaximum(const Lease& lease, const std::uint32_t* in, std::uint32_t* out, std::size_t n);
void runningMaximum(const Lease& lease, const std::uint64_t* in, std::uint64_t* out, std::size_t n);

/// Writes the i < n with flags[i] != 0, ascending, to `out` and their number to *count (device).
void selectFlagged(const Lease& lease, const std::uint8_t* flags, std::uint32_t* out,
                   std::uint32_t* count, std::size_t n);
/// Removes repeats of sorted values; the number left goes to *count (device).
void uniqueSorted(const Lease& lease, const std::uint32_t* in, std::uint32_t* out,
                  std::uint32_t* count, std::size_t n);

/// Sums n values into *out (device).
void sum(const Lease& lease, const std::uint32_t* in, std::uint64_t* out, std::size_t n);
void sum(const Lease& lease, const std::uint64_t* in, std::uint64_t* out, std::size_t n);

}  // namespace clusterloom
