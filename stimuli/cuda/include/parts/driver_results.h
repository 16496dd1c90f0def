// Results of calls of the driver interface.
#pragma once

typedef enum cudaError_enum {
#define FERMATA_RESULT(name, number) name = number,
#include "driver_result_list.inl"
} CUresult;
