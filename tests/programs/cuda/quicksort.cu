// Quicksort without recursion: each thread sorts a segment with its own stack in local memory, then
// pairs of segments are merged. One template serves keys of several types, compared by a functor.
#include <algorithm>
#include <functional>

#include "check.h"

struct Less {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct Greater {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

struct Record {  // ordered by `second`, then `first`
  short tag;
  long long key;
  __host__ __device__ bool operator<(const Record& o) const {
    return key != o.key ? key < o.key : tag < o.tag;
  }
  bool operator==(const Record& o) const { return tag == o.tag && key == o.key; }
};

template <class T, class Compare>
__device__ void sortSegment(T* data, int n, Compare less) {
  int2 stack[24];
  int depth = 0;
  stack[depth++] = make_int2(0, n - 1);
  while (depth > 0) {
    const int2 range = stack[--depth];
    int low = range.x, high = range.y;
    if (high - low < 6) {
      for (int i = low + 1; i <= high; ++i) {
        const T value = data[i];
        int j = i;
        for (; j > low && less(value, data[j - 1]); --j) data[j] = data[j - 1];
        data[j] = value;
      }
      continue;
    }
    const T pivot = data[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (less(data[i], pivot)) ++i;
      while (less(pivot, data[j])) --j;
      if (i <= j) {
        const T t = data[i];
        data[i++] = data[j];
        data[j--] = t;
      }
    }
    // Pushes the longer part first: the depth of the stack stays logarithmic.
    const int2 left = make_int2(low, j), right = make_int2(i, high);
    const bool leftLonger = j - low > high - i;
    stack[depth++] = leftLonger ? left : right;
    stack[depth++] = leftLonger ? right : left;
  }
}

template <class T, class Compare>
__global__ void sortSegments(T* data, int n, int segment, Compare less) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * segment;
  if (begin < n) sortSegment(data + begin, min(segment, n - begin), less);
}

template <class T, class Compare>
__global__ void mergePairs(const T* in, T* out, int n, int segment, Compare less) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * segment;
  if (begin >= n) return;
  const int middle = min(begin + segment, n), end = min(begin + 2 * segment, n);
  int a = begin, b = middle;
  for (int i = begin; i < end; ++i)
    out[i] = a < middle && (b >= end || !less(in[b], in[a])) ? in[a++] : in[b++];
}

template <class T, class Compare>
void test(const char* name, std::vector<T> values, Compare less) {
  const int n = int(values.size()), segment = 100;
  T *a, *b;
  CHECK(cudaMalloc((void**)&a, n * sizeof(T)));
  CHECK(cudaMalloc((void**)&b, n * sizeof(T)));
  CHECK(cudaMemcpy(a, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  sortSegments<<<(n / segment + 32) / 32, 32>>>(a, n, segment, less);
  CHECK(cudaGetLastError());
  for (int length = segment; length < n; length *= 2) {
    mergePairs<<<(n / length + 32) / 32, 32>>>(a, b, n, length, less);
    CHECK(cudaGetLastError());
    std::swap(a, b);
  }
  std::vector<T> got(n);
  CHECK(cudaMemcpy(got.data(), a, n * sizeof(T), cudaMemcpyDeviceToHost));
  std::sort(values.begin(), values.end(), less);
  if (!(got == values)) fail("%s are not in order", name);
}

int main() {
  const int n = 3300;
  std::vector<int> ints(n);
  std::vector<double> doubles(n);
  std::vector<Record> records(n);
  srand(3);
  for (int i = 0; i < n; ++i) {
    ints[i] = rand() % 500 - 250;
    doubles[i] = (rand() - RAND_MAX / 2) / 1e3;
    records[i] = {short(rand()), (long long)(rand() % 40) << 33};
  }
  test("ints", ints, Less());
  test("doubles", doubles, Greater());
  test("records", records, Less());
  puts("PASS");
}
