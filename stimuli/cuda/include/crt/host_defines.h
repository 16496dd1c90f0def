// A part of cuda_runtime.h, which has it all.
#pragma once

#include "../host_defines.h"
