// cudaProfilerStart and cudaProfilerStop.
#pragma once
#define __CUDA_PROFILER_API_H__  // programs test whether it was included

#include "cuda_runtime_api.h"
