// Types of the runtime interface, vectors and textures.
#pragma once

#include "driver_types.h"
