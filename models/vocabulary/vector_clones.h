// Function attribute: compile a second copy for CPUs with AVX2 and choose one when the program
// starts.
#pragma once

// GCC on x86-64 only. Not under a sanitizer: the choosing function runs before the sanitizer is set
// up.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(FERMATA_NO_CLONES)
#define FERMATA_VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define FERMATA_VECTOR_CLONES
#endif
