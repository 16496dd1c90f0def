// CUDA C++: the language on the device, the runtime interface and its C++ overloads. `fermata cc`
// includes it before every .cu file.
#pragma once
// Programs test whether these headers were included; this header stands for all of them.
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __DRIVER_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__

#if defined(__CUDA__) && defined(__clang__)
#include "parts/device.h"
// Libraries that find clang's CUDA leave out all that clang-16 lacks, such as instructions newer
// than sm_90. Here nvcc's path compiles: __NVCC__ is defined.
#undef __CUDA__
#endif
#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include "parts/runtime_overloads.h"
#include "parts/texture_binding.h"
#ifdef FERMATA_CUDA_LANGUAGE
// Programs rely on these, which CUDA's header includes.
#include <assert.h>
#include <stdio.h>
#include <time.h>

#include "parts/device_launch.h"
#include "parts/device_runtime.h"
#include "parts/graph_device.h"
#endif
#endif
#ifdef FERMATA_SHARED_ALIGNAS  // defined by `cc`
#include "parts/shared_alignas.h"
#endif
