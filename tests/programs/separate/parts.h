// The interface between the files of the program: variables, functions and kernels of other files.
#pragma once

typedef float (*Rule)(float);

extern __device__ int counter;         // parts.cu
extern __constant__ float weights[4];  // parts.cu
extern __device__ Rule rule;           // parts.cu: a function of that file by its address
extern __managed__ int shared_count;   // parts.cu
__device__ float weighed(float x, int k);
int countOwn(int* result);

__device__ float cubed(float x);      // library_device.cu: no host code refers to that file
void scaleAll(float* values, int n);  // library_kernel.cu: a kernel of a library

/// Defined in each file that uses it.
template <class T>
__global__ void fill(T* values, T value) {
  values[threadIdx.x] = value;
}
