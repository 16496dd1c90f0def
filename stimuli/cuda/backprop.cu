// One layer of a neural network by back propagation, after Rodinia. `layer` multiplies the inputs
// by their weights to 16 hidden units and adds them up by a tree over the rows of a shared tile, 16
// inputs per block; it stores the tile over the weights. `adjust` moves the weights along the
// gradient, with momentum.
//
// Weights are a row of 17 words per input, the bias first; row 0 has the weights of the hidden
// units' own bias. A warp takes two rows of 16 words, 17 words apart: words 0 and 32 meet in a bank
// of the L1. In shared memory an input is broadcast along its row and rows are read whole: no
// conflict.

constexpr unsigned kHeight = 16;  // inputs of a block
constexpr unsigned kWidth = 16;   // hidden units
constexpr unsigned kPitch = kWidth + 1;

/// Returns the row of this thread's input; row 0 is the bias.
static __device__ __forceinline__ unsigned inputRow() {
  return blockIdx.y * kHeight + threadIdx.y + 1;
}

/// Sets partial[block][unit] to the sum over the block's inputs of input * weight[input][unit], and
/// the weights to what the tree leaves of the products.
extern "C" __global__ void backprop_layer(const float* inputs, float* weights, float* partial) {
  __shared__ float nodes[kHeight];
  __shared__ float products[kHeight][kWidth];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned i = inputRow() * kPitch + x + 1;
  if (x == 0) nodes[y] = inputs[inputRow()];
  __syncthreads();
  products[y][x] = weights[i];
  __syncthreads();
  products[y][x] *= nodes[y];
  __syncthreads();
#pragma unroll 1
  for (unsigned span = 2; span <= kHeight; span *= 2) {
    if (y % span == 0) products[y][x] += products[y + span / 2][x];
    __syncthreads();
  }
  weights[i] = products[y][x];
  __syncthreads();
  if (x == 0) partial[blockIdx.y * kWidth + y] = products[x][y];
}

/// Adds to each weight rate * delta[unit] * input + momentum * last step; stores the step.
extern "C" __global__ void backprop_adjust(const float* inputs, const float* deltas, float* weights,
                                           float* steps, float rate, float momentum) {
  const unsigned unit = threadIdx.x + 1;
  const unsigned row = inputRow();
  const unsigned i = row * kPitch + unit;
  weights[i] += rate * deltas[unit] * inputs[row] + momentum * steps[i];
  steps[i] = rate * deltas[unit] * inputs[row] + momentum * steps[i];
  __syncthreads();
  if (row == 1) {
    weights[unit] += rate * deltas[unit] + momentum * steps[unit];
    steps[unit] = rate * deltas[unit] + momentum * steps[unit];
  }
}
