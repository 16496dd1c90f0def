// Includes cuda_pipeline.h, which declares everything that this header must.
#pragma once

#include "cuda_pipeline.h"
