// Potential and forces between particles in boxes (after Rodinia's lavaMD). A block of 128 threads
// takes a home box of up to 128 particles and visits it and its neighbours; each thread sums the
// effect on one home particle. Rodinia's boxes hold 100 particles, so that the last warp has 4
// lanes; 128 fill every warp, like in an analysis of the source (and give all of table 5's row).
//
// Shared memory holds home and visited particles, four doubles each, and the visited charges. With
// 32-bit pointers the compiler aligns doubles to 4 bytes and moves each as two words: a home
// particle's at a stride of 8 words (degree 8), a charge's at a stride of 2 (degree 2). Table 5 of
// van den Braak et al. shows these strides (lavaMD: 3, 4, 5, 1^6, 2^7). A visited particle is read
// by all lanes at once.

constexpr unsigned kThreads = 128;

struct Particle {
  double v, x, y, z;
};

struct Boxes {
  Particle home[kThreads];
  Particle visited[kThreads];
  double charges[kThreads];
};

/// Sums potentials and forces. Box (x, y, z) is number (z * ny + y) * nx + x; its `count` particles
/// are in a row. A pair's potential is charge * exp(-alpha2 * r2), exp in single precision.
extern "C" __global__ void lavamd(const Particle* particles, const double* charges, Particle* out,
                                  double alpha2, int nx, int ny, unsigned count) {
  __shared__ Boxes boxes;
  const unsigned t = threadIdx.x;
  const int box = static_cast<int>(blockIdx.x);
  const int x0 = box % nx;
  const int y0 = box / nx % ny;
  const int z0 = box / (nx * ny);
  const int nz = static_cast<int>(gridDim.x) / (nx * ny);
  const bool active = t < count;
  if (active) boxes.home[t] = particles[blockIdx.x * count + t];

  Particle sum = {0, 0, 0, 0};
#pragma unroll 1
  for (int z = max(z0 - 1, 0); z <= min(z0 + 1, nz - 1); ++z) {
#pragma unroll 1
    for (int y = max(y0 - 1, 0); y <= min(y0 + 1, ny - 1); ++y) {
#pragma unroll 1
      for (int x = max(x0 - 1, 0); x <= min(x0 + 1, nx - 1); ++x) {
        const unsigned other = static_cast<unsigned>((z * ny + y) * nx + x) * count + t;
        __syncthreads();  // the previous box has been read
        if (active) {
          boxes.visited[t] = particles[other];
          boxes.charges[t] = charges[other];
        }
        __syncthreads();
        if (!active) continue;
        const Particle own = boxes.home[t];
#pragma unroll 1
        for (unsigned j = 0; j < count; ++j) {
          const Particle& p = boxes.visited[j];
          const double r2 = own.v + p.v - (own.x * p.x + own.y * p.y + own.z * p.z);
          const double u = __expf(static_cast<float>(-alpha2 * r2)) * boxes.charges[j];
          sum.v += u;
          sum.x += 2 * u * (own.x - p.x);
          sum.y += 2 * u * (own.y - p.y);
          sum.z += 2 * u * (own.z - p.z);
        }
      }
    }
  }
  if (active) out[blockIdx.x * count + t] = sum;
}
