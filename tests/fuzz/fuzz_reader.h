#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Reads `bytes` as a file of that name, as a data set and as a preview, and aborts when what comes
/// back violates a guarantee of engine/io/read.h: sizes that differ, coordinates that are not
/// finite, a message that names no file. Options are drawn from the last byte.
int fuzzReader(const std::string& name, const std::uint8_t* bytes, std::size_t size);

/// The name the harness at hand reads under: its extension decides where the content does not.
extern const char* const kFuzzedName;

/// What libFuzzer calls, and our own driver.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
