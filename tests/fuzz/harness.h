#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// What a harness defines.

/// What libFuzzer calls, and our own driver. Aborts where a promise is broken.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

/// The name of the harness at hand in messages. Readers take their input for a file of this name:
/// its extension decides where the content does not. Our own driver sets it where its call names
/// one.
extern const char* fuzzedName;

/// Aborts where a guarantee of what is tested does not hold.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}
