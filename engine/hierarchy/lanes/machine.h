#pragma once

// The interface on which the programs of a parallel hierarchy (group_tree.h and the headers named
// group_…) run. A machine is an object that offers, for device memory or host memory alike:
//
//   Array<T>                  uninitialized values: data(), size()
//   make<T>(n)                an Array<T> of n values
//   fill(array, byte)         sets every byte
//   copy(to, from)            all values of `from`
//   copyFirst(to, from, n)    the first n of them
//   each(n, program)          program(lane, i) for i = 0 … n − 1, one lane each
//   warps(n, program)         program(lane, i) for i = 0 … n − 1, by all 32 lanes of a warp each
//   sortByKey(keys, values, bits)   stable, by the lowest bits
//   exclusiveScan(in, out, n)       sums of what comes before, 32 bits; in place too
//   sum(in, out, n)                 of 32-bit values, in 64 bits
//   runningMaximum(in, out, n)      the greatest so far, 32 or 64 bits; in place too
//   selectFlagged(flags, out, count)   the i with flags[i] ≠ 0, ascending; their number at count
//   read(array)               the first value; waits for it
//   readAll(array)            all of a short array, as a std::vector; waits for them
//   stage(name)               ends a stage of the work, for timing
//
// Programs are values of plain pointers with a template operator()(Lane&, std::uint32_t) const.
// Queued work sees the results of the calls before. Machines end a stopped run by an exception.
// CudaMachine (engine/cuda/hierarchy) queues work on a GPU; the tests' machine runs the same source
// on fibers.
