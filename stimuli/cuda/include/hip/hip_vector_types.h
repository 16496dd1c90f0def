// Vectors of one to four elements, and the functions that make them.
#pragma once
#include "../vector_functions.h"
#include "../vector_types.h"
