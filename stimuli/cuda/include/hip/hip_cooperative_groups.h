// Groups of threads. Tiles have at most 32 threads; groups over a whole wave64 are not there.
#pragma once
#include "../cooperative_groups.h"
