// Coulombic potential on a slice of a grid (after Parboil's cp): a block of 16x8 threads takes
// 128x8 points, a thread 8 of them 16 apart, so that a half warp stores 16 neighbours. All threads
// read the same atom at a time, from constant memory; shared memory is not used. No cutoff: every
// atom counts at every point.

constexpr unsigned kWidth = 16;
constexpr unsigned kHeight = 8;
constexpr unsigned kPoints = 8;    // points per thread
constexpr unsigned kAtoms = 4000;  // 64000 bytes of constant memory

struct __align__(16) SliceAtom {
  float x, y, z2, charge;  // in spacings of the grid; z2: square of the distance to the slice
};

__constant__ SliceAtom slice[kAtoms];

/// Brings `count` atoms near the slice at half the depth of a box whose sides are `width`, `height`
/// and `width` spacings. `atoms` holds x, y, z in sides of the box, and the charge plus a half.
/// `nearby` is the address of `slice`; the original's host copies the atoms there.
extern "C" __global__ void cp_slice(const float4* atoms, SliceAtom* nearby, unsigned count,
                                    unsigned width, unsigned height) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 atom = atoms[i];
  const float z = (atom.z - 0.5f) * static_cast<float>(width);
  nearby[i] = {atom.x * static_cast<float>(width), atom.y * static_cast<float>(height), z * z,
               atom.w - 0.5f};
}

/// Adds the potential of the first `count` atoms of the slice: charge / distance.
extern "C" __global__ void cp(float* energy, unsigned count) {
  const unsigned column = blockIdx.x * kWidth * kPoints + threadIdx.x;
  const unsigned row = blockIdx.y * kHeight + threadIdx.y;
  const float x = static_cast<float>(column);
  const float y = static_cast<float>(row);
  float sums[kPoints] = {};
#pragma unroll 1
  for (unsigned a = 0; a < count; ++a) {
    const SliceAtom atom = slice[a];
    const float dx = x - atom.x;
    const float dy = y - atom.y;
    const float rest = dy * dy + atom.z2;
#pragma unroll
    for (unsigned i = 0; i < kPoints; ++i) {
      const float d = dx + static_cast<float>(i * kWidth);
      sums[i] += atom.charge * rsqrtf(d * d + rest);
    }
  }
  float* own = energy + row * (gridDim.x * kWidth * kPoints) + column;
#pragma unroll
  for (unsigned i = 0; i < kPoints; ++i) own[i * kWidth] += sums[i];
}
