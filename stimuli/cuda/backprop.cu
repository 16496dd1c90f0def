// One layer of a neural network by back propagation, after Rodinia. `layer` multiplies the inputs
// by their weights to 16 hidden units and adds them up by a tree over the rows of a shared tile, 16
// inputs per block. `adjust` then moves the weights along the gradient, with momentum. An input is
// broadcast along its row and rows are read whole: no conflict.

constexpr unsigned kHeight = 16;  // inputs of a block
constexpr unsigned kWidth = 16;   // hidden units

/// Sets partial[block][unit] to the sum over the block's inputs of input * weight[input][unit].
extern "C" __global__ void backprop_layer(const float* inputs, const float* weights,
                                          float* partial) {
  __shared__ float nodes[kHeight];
  __shared__ float products[kHeight][kWidth];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned row = blockIdx.y * kHeight + y;
  if (x == 0) nodes[y] = inputs[row];
  __syncthreads();
  products[y][x] = weights[row * kWidth + x];
  __syncthreads();
  products[y][x] *= nodes[y];
  __syncthreads();
#pragma unroll 1
  for (unsigned span = 2; span <= kHeight; span *= 2) {
    if (y % span == 0) products[y][x] += products[y + span / 2][x];
    __syncthreads();
  }
  if (x == 0) partial[blockIdx.y * kWidth + y] = products[0][y];
}

/// Adds to each weight rate * delta[unit] * input + momentum * last step; stores the step.
extern "C" __global__ void backprop_adjust(const float* inputs, const float* deltas, float* weights,
                                           float* steps, float rate, float momentum) {
  const unsigned row = blockIdx.y * kHeight + threadIdx.y;
  const unsigned i = row * kWidth + threadIdx.x;
  const float step = rate * deltas[threadIdx.x] * inputs[row] + momentum * steps[i];
  weights[i] += step;
  steps[i] = step;
}
