// A part of cuda_pipeline.h, which has it all.
#pragma once

#include "cuda_pipeline.h"
