// A file of a static library with a kernel, which calls the library's other file and parts.cu.
#include "parts.h"

static __global__ void step(float* values, int n) {
  const int k = threadIdx.x;
  if (k < n) values[k] = cubed(values[k]) + weighed(1, k % 4);
}

void scaleAll(float* values, int n) {
  step<<<1, 32>>>(values, n);
}
