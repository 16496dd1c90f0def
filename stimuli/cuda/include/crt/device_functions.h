// Includes cuda_runtime.h, which declares everything that this header must.
#pragma once

#include "../cuda_runtime.h"
