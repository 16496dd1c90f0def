// Marks for a profiler, which do nothing here.
#pragma once

#include "nvToolsExt.h"
