#!/usr/bin/env bash
# Run by conda build in the folder of the sources.
set -euo pipefail
# shellcheck disable=SC2154,SC2086  # conda build sets these, CMAKE_ARGS as several words
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS} -DCMAKE_BUILD_TYPE=Release \
  -DCLUSTERLOOM_TESTS=OFF -DCLUSTERLOOM_CUDA=OFF -DCLUSTERLOOM_MPI=OFF \
  -DCLUSTERLOOM_PYTHON=ON -DPython_EXECUTABLE="$PYTHON" \
  -DCLUSTERLOOM_PYTHON_DIR="lib/python$PY_VER/site-packages" \
  -DCMAKE_INSTALL_PREFIX="$PREFIX"
cmake --build build/conda --parallel "$CPU_COUNT"
cmake --install build/conda
