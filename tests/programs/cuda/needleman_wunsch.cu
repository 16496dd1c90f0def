// Global alignment of two sequences: 16x16 blocks of the score matrix, one launch per diagonal of
// blocks.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define BLOCK_SIZE 16

#define ASSERT_CUDA(x)                                                                 \
  {                                                                                    \
    const cudaError_t code = (x);                                                      \
    if (code) {                                                                        \
      std::printf("FAIL: %s (%s:%d)\n", cudaGetErrorString(code), __FILE__, __LINE__); \
      std::exit(1);                                                                    \
    }                                                                                  \
  }

__constant__ signed char similarity[4][4] = {
    {5, -1, -2, -1}, {-1, 5, -3, -2}, {-2, -3, 5, -2}, {-1, -2, -2, 5}};
static const signed char hostSimilarity[4][4] = {
    {5, -1, -2, -1}, {-1, 5, -3, -2}, {-2, -3, 5, -2}, {-1, -2, -2, 5}};

__device__ __host__ int maximum(int a, int b, int c) {
  int k = a <= b ? b : a;
  return k <= c ? c : k;
}

__global__ void diagonal(const char* first, const char* second, int* scores, int columns,
                         int penalty, int d, int blocksWide) {
  const int bx = blockIdx.x + max(0, d - blocksWide + 1), by = d - bx, t = threadIdx.x;
  const int corner = (by * BLOCK_SIZE) * columns + bx * BLOCK_SIZE;
  __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
  __shared__ signed char ref[BLOCK_SIZE][BLOCK_SIZE];
  if (t == 0) temp[0][0] = scores[corner];
  for (int r = 0; r < BLOCK_SIZE; r++)
    ref[r][t] = similarity[first[by * BLOCK_SIZE + r] & 3][second[bx * BLOCK_SIZE + t] & 3];
  temp[t + 1][0] = scores[corner + (t + 1) * columns];
  temp[0][t + 1] = scores[corner + t + 1];
  __syncwarp(0xffff);
  for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
    const int x = t + 1, y = m - t + 1;
    if (y >= 1 && y <= BLOCK_SIZE)
      temp[y][x] = maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty,
                           temp[y - 1][x] - penalty);
    __syncwarp(0xffff);
  }
  for (int r = 0; r < BLOCK_SIZE; r++)
    scores[corner + (r + 1) * columns + t + 1] = temp[r + 1][t + 1];
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 6,
            penalty = argc > 2 ? std::atoi(argv[2]) : 10;
  const int n = blocks * BLOCK_SIZE, columns = n + 1;
  std::string first(n, 0), second(n, 0);
  srand(7);
  for (int i = 0; i < n; ++i) {
    first[i] = char(rand() % 4);
    second[i] = i % 5 ? first[i] : char(rand() % 4);
  }
  std::rotate(second.begin(), second.begin() + 3, second.end());
  std::vector<int> scores(columns * columns), expected;
  for (int i = 0; i <= n; ++i) scores[i] = scores[i * columns] = -i * penalty;
  expected = scores;
  for (int r = 1; r <= n; ++r)
    for (int c = 1; c <= n; ++c)
      expected[r * columns + c] = maximum(expected[(r - 1) * columns + c - 1] +
                                              hostSimilarity[int(first[r - 1])][int(second[c - 1])],
                                          expected[r * columns + c - 1] - penalty,
                                          expected[(r - 1) * columns + c] - penalty);
  char *dFirst, *dSecond;
  int* dScores;
  ASSERT_CUDA(cudaMalloc(&dFirst, n));
  ASSERT_CUDA(cudaMalloc(&dSecond, n));
  ASSERT_CUDA(cudaMalloc(&dScores, scores.size() * sizeof(int)));
  ASSERT_CUDA(cudaMemcpy(dFirst, first.data(), n, cudaMemcpyHostToDevice));
  ASSERT_CUDA(cudaMemcpy(dSecond, second.data(), n, cudaMemcpyHostToDevice));
  ASSERT_CUDA(
      cudaMemcpy(dScores, scores.data(), scores.size() * sizeof(int), cudaMemcpyHostToDevice));
  for (int d = 0; d < 2 * blocks - 1; ++d) {
    diagonal<<<std::min(d + 1, 2 * blocks - 1 - d), BLOCK_SIZE>>>(dFirst, dSecond, dScores, columns,
                                                                  penalty, d, blocks);
    ASSERT_CUDA(cudaGetLastError());
  }
  ASSERT_CUDA(
      cudaMemcpy(scores.data(), dScores, scores.size() * sizeof(int), cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaFree(dFirst));
  ASSERT_CUDA(cudaFree(dSecond));
  ASSERT_CUDA(cudaFree(dScores));
  for (size_t i = 0; i < scores.size(); ++i)
    if (scores[i] != expected[i]) {
      std::printf("FAIL: score (%zu, %zu) is %d, expected %d\n", i / columns, i % columns,
                  scores[i], expected[i]);
      return 1;
    }
  // Walks back through the best alignment and counts its matches.
  int matches = 0;
  for (int r = n, c = n; r > 0 && c > 0;) {
    const int here = scores[r * columns + c];
    if (here ==
        scores[(r - 1) * columns + c - 1] + hostSimilarity[int(first[r - 1])][int(second[c - 1])]) {
      matches += first[--r] == second[--c];
    } else if (here == scores[r * columns + c - 1] - penalty) {
      --c;
    } else {
      --r;
    }
  }
  std::printf("PASS: score %d, %d matches\n", scores.back(), matches);
  return 0;
}
