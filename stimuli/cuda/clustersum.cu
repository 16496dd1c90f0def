// Sums of integers by clusters of CTAs that add up in each other's shared memory.
//   tree    half of the CTAs add the words of the other half to theirs, then a quarter, ..
//   gather  the first CTA adds the words of all others to its own

/// Thread t sums values t, t + threads of the cluster, .. of the cluster's part.
static __device__ __forceinline__ int sumOfThread(const int* in, unsigned part, unsigned rank,
                                                  unsigned ctas) {
  const int* first = in + blockIdx.x / ctas * part;
  int sum = 0;
#pragma unroll 1
  for (unsigned i = rank * blockDim.x + threadIdx.x; i < part; i += ctas * blockDim.x)
    sum += first[i];
  return sum;
}

struct Tree {
  static __device__ __forceinline__ int add(unsigned own, unsigned rank, unsigned ctas, int sum) {
#pragma unroll 1
    for (unsigned half = ctas / 2; half != 0; half /= 2) {
      fermataSyncCluster();
      if (rank < half) {
        sum += fermataLoadFrom(fermataAtRank(own, rank + half));
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(own), "r"(sum) : "memory");
      }
    }
    return sum;
  }
};
struct Gather {
  static __device__ __forceinline__ int add(unsigned own, unsigned rank, unsigned ctas, int sum) {
    fermataSyncCluster();
    if (rank == 0) {
#pragma unroll 1
      for (unsigned other = 1; other < ctas; ++other)
        sum += fermataLoadFrom(fermataAtRank(own, other));
    }
    return sum;
  }
};

/// out[c]: the sum of the `part` values of cluster c.
template <class Way>
static __device__ __forceinline__ void reduce(const int* in, int* out, unsigned part) {
  __shared__ int sums[1024];
  const unsigned rank = fermataClusterRank(), ctas = fermataClusterSize();
  const unsigned own = fermataShared(sums + threadIdx.x);
  int sum = sumOfThread(in, part, rank, ctas);
  sums[threadIdx.x] = sum;
  sum = Way::add(own, rank, ctas, sum);
  fermataSyncCluster();  // no CTA ends while another reads its words
  if (rank != 0) return;
  sums[threadIdx.x] = sum;
#pragma unroll 1
  for (unsigned half = blockDim.x / 2; half != 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x / ctas] = sums[0];
}

extern "C" __global__ void clustersum_tree(const int* in, int* out, unsigned part) {
  reduce<Tree>(in, out, part);
}
extern "C" __global__ void clustersum_gather(const int* in, int* out, unsigned part) {
  reduce<Gather>(in, out, part);
}
