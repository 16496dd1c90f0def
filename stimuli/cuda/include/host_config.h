// A part of cuda_runtime.h, which has it all.
#pragma once

#include "cuda_runtime.h"
