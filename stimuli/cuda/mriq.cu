// The Q matrix of MRI reconstruction (after Parboil's mri-q): each thread takes a voxel and sums
// over the samples of the trajectory, which all threads read together from constant memory: a sine,
// a cosine and two products a sample. Shared memory is not used. 256 threads a block.

constexpr unsigned kSamples = 1024;  // of a launch
constexpr float kTwoPi = 6.28318531f;

struct __align__(16) Sample {
  float kx, ky, kz, magnitude;
};

__constant__ Sample samples[kSamples];

/// Samples first to first + count - 1 of the trajectory and the squares of their magnitudes. `out`:
/// `samples` by its address, where the original's host copies them.
extern "C" __global__ void mriq_magnitudes(const float* kx, const float* ky, const float* kz,
                                           const float* phiR, const float* phiI, Sample* out,
                                           unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned k = first + i;
  out[i] = {kx[k], ky[k], kz[k], phiR[k] * phiR[k] + phiI[k] * phiI[k]};
}

/// Adds what `count` samples give to each of `voxels` voxels.
extern "C" __global__ void mriq(const float* x, const float* y, const float* z, float* qR,
                                float* qI, unsigned count, unsigned voxels) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= voxels) return;
  const float ownX = x[v];
  const float ownY = y[v];
  const float ownZ = z[v];
  float real = qR[v];
  float imaginary = qI[v];
#pragma unroll 2
  for (unsigned k = 0; k < count; ++k) {
    const Sample& s = samples[k];
    const float angle = kTwoPi * (s.kx * ownX + s.ky * ownY + s.kz * ownZ);
    real += s.magnitude * cosf(angle);
    imaginary += s.magnitude * sinf(angle);
  }
  qR[v] = real;
  qI[v] = imaginary;
}
