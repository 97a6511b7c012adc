// The file name that a reader reads under; CMake defines it for each program of libFuzzer.
#include "harness.h"

const char* fuzzedName = CLUSTERLOOM_FUZZED_NAME;
