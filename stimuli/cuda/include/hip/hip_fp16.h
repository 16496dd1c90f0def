// __half and its functions, by CUDA's names, which HIP has.
#pragma once
#include "../cuda_fp16.h"
