#!/usr/bin/env python3
"""Neighbour counts by PyTorch's matrix product and a comparison, in blocks of rows, beside bench_products.

    python3 tests/device/compare_products.py FOLDER [REPEATS]

Reads the raw clouds that `bench_products REPEATS FOLDER` wrote. Prints the median time on the GPU and the
number of ordered pairs, for products in fp64, in fp32 and in TF32; the coordinates are on the GPU before.
"""
import os
import statistics
import sys
import time

import torch

CASES = {"gauss128": (128, 13.795, torch.float64), "expo16": (16, 0.05, torch.float64),
         "expo32": (32, 0.10, torch.float64), "gauss384": (384, 25.8, torch.float32),
         "normal384": (384, 24.5, torch.float32)}


def count(points, eps, rows):
    """The ordered pairs within eps by |x|^2 + |y|^2 - 2xy."""
    norms = (points * points).sum(1)
    pairs = torch.zeros((), dtype=torch.int64, device="cuda")
    for begin in range(0, len(points), rows):
        block = points[begin:begin + rows]
        squares = torch.addmm(norms[None, :], block, points.T, alpha=-2)
        pairs += (squares <= eps * eps - norms[begin:begin + rows, None]).sum()
    torch.cuda.synchronize()
    return pairs.item()


def main():
    folder, repeats = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for name, (dims, eps, stored) in CASES.items():
        file = os.path.join(folder, name)
        if not os.path.exists(file):
            continue
        size = os.path.getsize(file) // (8 if stored == torch.float64 else 4)
        whole = torch.from_file(file, size=size, dtype=stored).reshape(-1, dims)
        for kind, dtype, tf32 in (("fp64", torch.float64, False), ("fp32", torch.float32, False),
                                  ("TF32", torch.float32, True)):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            points = whole.cuda().to(dtype)
            rows = max(1, (1 << 30) // len(points))
            limit = repeats if len(points) <= 200_000 else 1
            count(points[:4 * rows], eps, rows)  # starts the library
            seconds = []
            for _ in range(limit):
                start = time.perf_counter()
                pairs = count(points, eps, rows)
                seconds.append(time.perf_counter() - start)
            print(f"{name} {kind}: {1e3 * statistics.median(seconds):.1f} ms, {pairs} ordered pairs", flush=True)
            del points
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
