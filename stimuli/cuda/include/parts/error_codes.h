// Results of calls of the runtime.
#pragma once

enum cudaError {
#define FERMATA_ERROR(name, number, text) name = number,
#define FERMATA_CODE(name, number) name = number,
#include "error_list.inl"
};
typedef enum cudaError cudaError_t;
