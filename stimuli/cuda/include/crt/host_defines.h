// Includes host_defines.h, which declares everything that this header must.
#pragma once

#include "../host_defines.h"
