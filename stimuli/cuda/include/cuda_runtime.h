// CUDA C++: the language on the device, the runtime interface and its overloads for C++. `fermata
// cc` includes it before every .cu file.
#pragma once

#if defined(__CUDA__) && defined(__clang__)
#include "parts/device.h"
#endif
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include "parts/runtime_overloads.h"
#include "parts/texture_binding.h"
#endif
