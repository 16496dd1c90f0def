// The vector F^H d of MRI reconstruction (after Parboil's mri-fhd): like mriq.cu, with a complex
// weight rho = conj(phi) d per sample, so that a sample costs four products. 256 threads per block,
// one voxel each; 512 samples of five words in constant memory; no shared memory.

constexpr unsigned kSamples = 512;  // samples per launch
constexpr float kTwoPi = 6.28318531f;

struct WeightedSample {
  float kx, ky, kz, rhoR, rhoI;
};

__constant__ WeightedSample samples[kSamples];

/// Computes samples first to first + count - 1 with their weights. `out` is the address of
/// `samples`; the original's host copies them there.
extern "C" __global__ void mrifhd_weights(const float* k, const float* phi, const float* data,
                                          WeightedSample* out, unsigned first, unsigned count,
                                          unsigned all) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned j = first + i;
  const float phiR = phi[j];
  const float phiI = phi[j + all];
  const float dataR = data[j];
  const float dataI = data[j + all];
  out[i] = {k[j], k[j + all], k[j + 2 * all], phiR * dataR + phiI * dataI,
            phiR * dataI - phiI * dataR};
}

/// Adds the contributions of `count` samples to each of `voxels` voxels. place: all x, all y, all
/// z; sums: all real parts, all imaginary ones.
extern "C" __global__ void mrifhd(const float* place, float* sums, unsigned count,
                                  unsigned voxels) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= voxels) return;
  const float x = place[v];
  const float y = place[v + voxels];
  const float z = place[v + 2 * voxels];
  float real = sums[v];
  float imaginary = sums[v + voxels];
#pragma unroll 2
  for (unsigned i = 0; i < count; ++i) {
    const WeightedSample& s = samples[i];
    const float angle = kTwoPi * (s.kx * x + s.ky * y + s.kz * z);
    const float sine = sinf(angle);
    const float cosine = cosf(angle);
    real += s.rhoR * cosine - s.rhoI * sine;
    imaginary += s.rhoI * cosine + s.rhoR * sine;
  }
  sums[v] = real;
  sums[v + voxels] = imaginary;
}
