#!/usr/bin/env python3
"""Nearest neighbours by PyTorch's matrix product and topk, in blocks of rows, beside bench_nearest.

    python3 tests/device/compare_nearest.py FOLDER [K]

Reads the raw clouds that `bench_nearest REPEATS K CASE FOLDER` wrote. Prints the time on the GPU of products
in fp64, fp32 and TF32, the coordinates being on the GPU before, and how many of 1,000 rows have other
neighbours than fp64 gives.
"""
import os
import sys
import time

import torch

CASES = {"gauss128": (128, torch.float64), "gauss384": (384, torch.float32),
         "normal384": (384, torch.float32)}


def nearest(points, k, rows, limit):
    """The k nearest points of the first `limit` points, themselves included, by |y|^2 - 2xy."""
    norms = (points * points).sum(1)
    found = []
    for begin in range(0, limit, rows):
        block = points[begin:min(begin + rows, limit)]
        squares = torch.addmm(norms[None, :], block, points.T, alpha=-2)
        found.append(squares.topk(k, dim=1, largest=False).indices)
    torch.cuda.synchronize()
    return torch.cat(found)


def main():
    folder, k = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    for name, (dims, stored) in CASES.items():
        file = os.path.join(folder, name)
        if not os.path.exists(file):
            continue
        size = os.path.getsize(file) // (8 if stored == torch.float64 else 4)
        whole = torch.from_file(file, size=size, dtype=stored).reshape(-1, dims)
        exact = None
        for kind, dtype, tf32 in (("fp64", torch.float64, False), ("fp32", torch.float32, False),
                                  ("TF32", torch.float32, True)):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            points = whole.cuda().to(dtype)
            n = len(points)
            rows = max(1, (1 << 30) // n)
            asked = n if dtype != torch.float64 or n <= 200_000 else n // 10
            nearest(points, k, rows, 2 * rows)  # starts the library
            start = time.perf_counter()
            found = nearest(points, k, rows, asked)
            seconds = time.perf_counter() - start
            sample = found[:1000].sort(1).values
            exact = sample if exact is None else exact
            wrong = (sample != exact).any(1).sum().item()
            print(f"{name} {kind}: {1e3 * seconds:.1f} ms for {asked} of {n} points, {wrong} of 1000 rows differ",
                  flush=True)
            del points, found
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
