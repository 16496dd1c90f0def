// A load by each thread, once: what gpu-stream (RRZE-HPC/gpu-benches) measures DRAM with. The test
// of the index and that of `never` are there as in that benchmark: their instructions take issue
// slots, which a warp with a single load feels. `never` is 0.

extern "C" __global__ void streamread(double* __restrict__ out, const double* __restrict__ in,
                                      unsigned long long count, unsigned never) {
  __shared__ double kept[1024];
  const int at = threadIdx.x + blockIdx.x * blockDim.x;
  if (static_cast<unsigned long long>(at) >= count) return;
  if (never != 0) kept[threadIdx.x] = in[threadIdx.x];
  double value = in[at];
  if (never == 0 && value != 123.0) return;
  if (never != 0) value += kept[threadIdx.x];
  out[at] = value;
}
