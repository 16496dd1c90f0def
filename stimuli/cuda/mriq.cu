// The Q matrix of MRI reconstruction (after Parboil's mri-q). Each thread takes a voxel and sums
// over the samples of the trajectory, which all threads read together from constant memory: a sine,
// a cosine and two products per sample. Shared memory is not used. A block has 256 threads.

constexpr unsigned kSamples = 1024;  // samples per launch
constexpr float kTwoPi = 6.28318531f;

struct __align__(16) Sample {
  float kx, ky, kz, magnitude;
};

__constant__ Sample samples[kSamples];

/// Computes samples first to first + count - 1 of the trajectory and the squares of their
/// magnitudes. `out` is the address of `samples`; the original's host copies them there.
extern "C" __global__ void mriq_magnitudes(const float* kx, const float* ky, const float* kz,
                                           const float* phiR, const float* phiI, Sample* out,
                                           unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned k = first + i;
  out[i] = {kx[k], ky[k], kz[k], phiR[k] * phiR[k] + phiI[k] * phiI[k]};
}

/// Adds the contributions of `count` samples to each of `voxels` voxels.
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
