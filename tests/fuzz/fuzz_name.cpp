// The file name that a harness reads under; CMake defines it for each reader.
#include "fuzz_reader.h"

const char* const kFuzzedName = CLUSTERLOOM_FUZZED_NAME;
