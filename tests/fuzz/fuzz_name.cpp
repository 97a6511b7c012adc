// The file name that a harness reads under; CMake defines it for each reader.
#include "harness.h"

const char* const kFuzzedName = CLUSTERLOOM_FUZZED_NAME;
