// The 0-1 knapsack by rows of the table, with decisions as bits; and edit distances of many word
// pairs.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#define CHECK(x) check((x), __LINE__)
static void check(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  std::cerr << "line " << line << ": " << cudaGetErrorString(e) << '\n';
  exit(1);
}

__global__ void row(const int* before, int* after, unsigned* taken, int capacity, int weight,
                    int value) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  int best = 0;
  bool take = false;
  if (c <= capacity) {
    best = before[c];
    if (c >= weight && before[c - weight] + value > best) {
      best = before[c - weight] + value;
      take = true;
    }
    after[c] = best;
  }
  const unsigned bits = __ballot_sync(0xffffffffu, take);
  if (threadIdx.x % 32 == 0 && c <= capacity) taken[c / 32] = bits;
}

const int kLongest = 24;

__global__ void editDistance(const char* words, const int* starts, int pairs, int* distances) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  const char *a = words + starts[2 * p], *b = words + starts[2 * p + 1];
  const int n = starts[2 * p + 1] - starts[2 * p], m = starts[2 * p + 2] - starts[2 * p + 1];
  unsigned char line[kLongest + 1];  // in local memory
  for (int j = 0; j <= m; ++j) line[j] = j;
  for (int i = 1; i <= n; ++i) {
    int corner = line[0];
    line[0] = i;
    for (int j = 1; j <= m; ++j) {
      const int above = line[j], change = corner + (a[i - 1] != b[j - 1]);
      line[j] = min(min(above, int(line[j - 1])) + 1, change);
      corner = above;
    }
  }
  distances[p] = line[m];
}

static int knapsack(int items, int capacity) {
  std::vector<int> weights(items), values(items);
  for (int i = 0; i < items; ++i) weights[i] = 3 + (i * 37) % 61, values[i] = 10 + (i * i * 7) % 97;
  std::vector<int> best(capacity + 1);
  for (int i = 0; i < items; ++i)
    for (int c = capacity; c >= weights[i]; --c)
      best[c] = std::max(best[c], best[c - weights[i]] + values[i]);

  const int words = (capacity + 32) / 32;
  int* rows[2];
  unsigned* taken;
  for (int*& r : rows) {
    CHECK(cudaMalloc(&r, (capacity + 1) * sizeof(int)));
    CHECK(cudaMemset(r, 0, (capacity + 1) * sizeof(int)));
  }
  CHECK(cudaMalloc(&taken, items * words * sizeof(unsigned)));
  for (int i = 0; i < items; ++i) {
    row<<<(capacity + 128) / 128, 128>>>(rows[i % 2], rows[1 - i % 2], taken + i * words, capacity,
                                         weights[i], values[i]);
    CHECK(cudaGetLastError());
  }
  std::vector<int> got(capacity + 1);
  std::vector<unsigned> bits(items * words);
  CHECK(cudaMemcpy(got.data(), rows[items % 2], got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bits.data(), taken, bits.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (int* r : rows) CHECK(cudaFree(r));
  CHECK(cudaFree(taken));
  if (got != best) {
    std::cout << "FAIL: the knapsack holds " << got[capacity] << ", expected " << best[capacity]
              << '\n';
    return 1;
  }
  int left = capacity, sum = 0;
  for (int i = items - 1; i >= 0; --i)
    if (bits[i * words + left / 32] >> left % 32 & 1) left -= weights[i], sum += values[i];
  if (sum != best[capacity] || left < 0) {
    std::cout << "FAIL: what is taken is worth " << sum << ", expected " << best[capacity] << '\n';
    return 1;
  }
  return 0;
}

static int distances(int pairs) {
  std::string words;
  std::vector<int> starts{0}, expected(pairs), got(pairs);
  unsigned s = 9;
  for (int w = 0; w < 2 * pairs; ++w) {
    s = s * 1664525u + 1013904223u;
    const int length = s >> 28;
    for (int i = 0; i < length + 5; ++i) words += char('a' + (s >> (i % 24)) % 5);
    starts.push_back(int(words.size()));
  }
  for (int p = 0; p < pairs; ++p) {
    const std::string a = words.substr(starts[2 * p], starts[2 * p + 1] - starts[2 * p]);
    const std::string b = words.substr(starts[2 * p + 1], starts[2 * p + 2] - starts[2 * p + 1]);
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i)
      for (size_t j = 0; j <= b.size(); ++j)
        d[i][j] = !i || !j ? int(i + j)
                           : std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                       d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
    expected[p] = d[a.size()][b.size()];
  }
  char* dWords;
  int *dStarts, *dDistances;
  CHECK(cudaMalloc(&dWords, words.size()));
  CHECK(cudaMalloc(&dStarts, starts.size() * sizeof(int)));
  CHECK(cudaMalloc(&dDistances, pairs * sizeof(int)));
  CHECK(cudaMemcpy(dWords, words.data(), words.size(), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dStarts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice));
  editDistance<<<(pairs + 63) / 64, 64>>>(dWords, dStarts, pairs, dDistances);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got.data(), dDistances, pairs * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dWords));
  CHECK(cudaFree(dStarts));
  CHECK(cudaFree(dDistances));
  for (int p = 0; p < pairs; ++p)
    if (got[p] != expected[p]) {
      std::cout << "FAIL: distance " << p << " is " << got[p] << ", expected " << expected[p]
                << '\n';
      return 1;
    }
  return 0;
}

int main(int argc, char** argv) {
  const int items = argc > 1 ? atoi(argv[1]) : 40, capacity = argc > 2 ? atoi(argv[2]) : 777;
  if (knapsack(items, capacity) || distances(200)) return 1;
  std::cout << "PASS" << std::endl;
}
