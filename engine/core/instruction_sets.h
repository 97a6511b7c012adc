#pragma once

// One portable source, compiled for several instruction sets, the best one chosen when the program
// starts. The resolver runs before a sanitizer's start-up, so sanitized builds keep to one.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define CLUSTERLOOM_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLUSTERLOOM_CLONES
#endif

// Inlines a function into each of the versions above: a function that is called exists only in the
// version for all machines.
#define CLUSTERLOOM_INLINE inline __attribute__((always_inline))
