// Textures and surfaces as the runtime describes them.
#pragma once

#include "parts/texture_api_types.h"
