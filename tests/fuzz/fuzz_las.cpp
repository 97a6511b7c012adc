#include "fuzz_reader.h"

const char* const kFuzzedName = "fuzz.las";
