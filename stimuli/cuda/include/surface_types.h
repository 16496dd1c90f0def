// Types that describe textures and surfaces to the runtime.
#pragma once

#include "parts/texture_api_types.h"
