// Softmax of rows of scores that come by tiles of 64 columns (FlashAttention: Dao, Fu, Ermon, Rudra
// and Re 2022): weights are relative to the largest score so far, and sums are scaled to it.
#pragma once

constexpr unsigned kWarp = ~0U;
constexpr float kScale = 0.125f * 1.44269504f;  // exp2(x) for exp(x / 8)

/// A tile of 16 rows. A lane has columns 8 j + 2 (lane % 4) and the next, of row lane / 4 (elements
/// 0 and 1) and of row lane / 4 + 8 (2 and 3).
typedef float Rows[8][4];

/// State of each of a lane's two rows.
struct RowState {
  float largest[2];
  float sum[2];  // this lane's share of the weights
};

/// Turns scores into weights relative to the largest score so far, and scales `sums` to it.
static __device__ __forceinline__ void weigh(Rows& scores, Rows& sums, RowState& state) {
#pragma unroll
  for (unsigned row = 0; row < 2; ++row) {
    float largest = state.largest[row];
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
      largest = fmaxf(largest, fmaxf(scores[j][2 * row], scores[j][2 * row + 1]));
    largest = fmaxf(largest, __shfl_xor_sync(kWarp, largest, 1));
    largest = fmaxf(largest, __shfl_xor_sync(kWarp, largest, 2));
    const float scale = exp2f((state.largest[row] - largest) * kScale);
    state.largest[row] = largest;
    state.sum[row] *= scale;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
#pragma unroll
      for (unsigned i = 2 * row; i < 2 * row + 2; ++i) {
        scores[j][i] = exp2f((scores[j][i] - largest) * kScale);
        state.sum[row] += scores[j][i];
        sums[j][i] *= scale;
      }
    }
  }
}
