// A file of a static library with device code only.
#include "parts.h"

__device__ float cubed(float x) {
  return x * x * x;
}
