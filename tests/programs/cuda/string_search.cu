// Finds patterns in a text by comparison, by rolling hashes and by Horspool's skips. The patterns
// lie in constant memory, the program has its own device string functions, and an atomic appends
// the hits.
#include <cuda_runtime.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

void require(cudaError_t e, const std::string& what) {
  if (e == cudaSuccess) return;
  std::cout << "FAIL: " << what << ": " << cudaGetErrorString(e) << std::endl;
  std::exit(1);
}
#define REQUIRE(x) require((x), #x)

const int kMaxPattern = 64;
__constant__ char pattern[kMaxPattern + 1];
__constant__ unsigned char skips[256];

__device__ int length(const char* s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}

__device__ int compare(const char* a, const char* b, int n) {
  for (int i = 0; i < n; ++i)
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
  return 0;
}

struct Hits {
  int count;
  int places[1000];
  __device__ void add(int place) {
    const int i = atomicAdd(&count, 1);
    if (i < 1000) places[i] = place;
  }
};

__global__ void naive(const char* text, int n, Hits* hits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, m = length(pattern);
  if (i + m <= n && compare(text + i, pattern, m) == 0) hits->add(i);
}

// Each thread rolls the hash over one stretch of the text.
__global__ void rabinKarp(const char* text, int n, Hits* hits, int stretch) {
  const unsigned base = 257;
  const int m = length(pattern), begin = (blockIdx.x * blockDim.x + threadIdx.x) * stretch;
  const int end = min(begin + stretch, n - m + 1);
  if (begin >= end) return;
  unsigned wanted = 0, rolling = 0, high = 1;
  for (int i = 0; i < m; ++i) {
    wanted = wanted * base + (unsigned char)pattern[i];
    rolling = rolling * base + (unsigned char)text[begin + i];
    if (i) high *= base;
  }
  for (int i = begin;; ++i) {
    if (rolling == wanted && compare(text + i, pattern, m) == 0) hits->add(i);
    if (i + 1 >= end) break;
    rolling = (rolling - (unsigned char)text[i] * high) * base + (unsigned char)text[i + m];
  }
}

__global__ void horspool(const char* text, int n, Hits* hits, int stretch) {
  const int m = length(pattern), begin = (blockIdx.x * blockDim.x + threadIdx.x) * stretch;
  const int end = min(begin + stretch, n - m + 1);
  for (int i = begin; i < end;) {
    if (compare(text + i, pattern, m) == 0) hits->add(i);
    i += skips[(unsigned char)text[i + m - 1]];
  }
}

int main(int argc, char** argv) {
  std::string text;
  const int n = argc > 1 ? std::stoi(argv[1]) : 9000;
  unsigned s = 5;
  while (int(text.size()) < n) text += "abacabad"[(s = s * 69069u + 7u) >> 29];
  text.resize(n);
  text.replace(n / 2, 13, "a longer word");
  const std::string patterns[] = {"aba", "cabad", "a longer word", "zebra", text.substr(n - 20)};
  char* dText;
  Hits* dHits;
  Hits hits;
  REQUIRE(cudaMalloc(&dText, n));
  REQUIRE(cudaMalloc(&dHits, sizeof(Hits)));
  REQUIRE(cudaMemcpy(dText, text.data(), n, cudaMemcpyHostToDevice));
  for (const std::string& p : patterns) {
    std::vector<int> expected;
    for (size_t at = text.find(p); at != std::string::npos; at = text.find(p, at + 1))
      expected.push_back(int(at));
    REQUIRE(cudaMemcpyToSymbol(pattern, p.c_str(), p.size() + 1));
    unsigned char table[256];
    std::fill(table, table + 256, (unsigned char)p.size());
    for (size_t i = 0; i + 1 < p.size(); ++i)
      table[(unsigned char)p[i]] = (unsigned char)(p.size() - 1 - i);
    REQUIRE(cudaMemcpyToSymbol(skips, table, sizeof table));
    for (int method = 0; method < 3; ++method) {
      REQUIRE(cudaMemset(&dHits->count, 0, sizeof(int)));
      if (method == 0) naive<<<(n + 127) / 128, 128>>>(dText, n, dHits);
      if (method == 1) rabinKarp<<<(n / 60 + 64) / 64, 64>>>(dText, n, dHits, 60);
      if (method == 2) horspool<<<(n / 60 + 64) / 64, 64>>>(dText, n, dHits, 60);
      REQUIRE(cudaGetLastError());
      REQUIRE(cudaMemcpy(&hits, dHits, sizeof hits, cudaMemcpyDeviceToHost));
      std::vector<int> got(hits.places, hits.places + std::min(hits.count, 1000));
      std::sort(got.begin(), got.end());
      if (hits.count != int(expected.size()) || (hits.count <= 1000 && got != expected)) {
        std::cout << "FAIL: method " << method << " finds '" << p << "' " << hits.count
                  << " times, expected " << expected.size() << std::endl;
        return 1;
      }
    }
  }
  REQUIRE(cudaFree(dText));
  REQUIRE(cudaFree(dHits));
  std::cout << "PASS" << std::endl;
  return 0;
}
