// cudaProfilerStart and cudaProfilerStop.
#pragma once
#define __CUDA_PROFILER_API_H__  // programs ask whether it was read

#include "cuda_runtime_api.h"
