// A load by each thread, once: what gpu-stream (RRZE-HPC/gpu-benches) measures DRAM with. As there,
// each warp has some instructions around its load, for words behind the end and for a way that is
// never taken.

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
