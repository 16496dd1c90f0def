// SHA-256 of many messages, and a search for a nonce whose digest begins with zero bits.
#include <cuda_runtime.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CUDA_TRY(expr)                                                                       \
  do {                                                                                       \
    cudaError_t rc = (expr);                                                                 \
    if (rc != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s failed with %s at %s:%d\n", #expr, cudaGetErrorName(rc), __FILE__, \
              __LINE__);                                                                     \
      abort();                                                                               \
    }                                                                                        \
  } while (0)

// Computes fractional bits of cube roots and square roots of the first primes.
static void constants(uint32_t k[64], uint32_t h[8]) {
  int prime = 2;
  for (int i = 0; i < 64; ++prime) {
    bool composite = false;
    for (int d = 2; d * d <= prime; ++d) composite |= prime % d == 0;
    if (composite) continue;
    const auto root = [prime](int power) {  // floor(prime^(1/power) * 2^32), in whole numbers
      unsigned __int128 low = 0;
      for (int bit = 36; bit >= 0; --bit) {
        const unsigned __int128 r = low | (unsigned __int128)1 << bit;
        // r^power <= prime * 2^(32 * power), at most 111 bits
        const unsigned __int128 value = power == 2 ? r * r : r * r * r;
        if (value <= (unsigned __int128)prime << 32 * power) low = r;
      }
      return uint32_t(low);
    };
    if (i < 8) h[i] = root(2);
    k[i++] = root(3);
  }
}

__constant__ uint32_t deviceK[64], deviceH[8];
static uint32_t hostK[64], hostH[8];

__host__ __device__ inline uint32_t rotr(uint32_t x, int n) {
  return (x >> n) | (x << (32 - n));
}

__host__ __device__ void compress(uint32_t state[8], const uint32_t block[16], const uint32_t* k) {
  uint32_t w[16];
  for (int i = 0; i < 16; ++i) w[i] = block[i];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5],
           g = state[6], h = state[7];
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      const uint32_t x = w[(i + 1) & 15], y = w[(i + 14) & 15];
      w[i & 15] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3)) + w[(i + 9) & 15] +
                   (rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10));
    }
    const uint32_t t1 =
        h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i & 15];
    const uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e, state[5] += f,
      state[6] += g, state[7] += h;
}

__host__ __device__ void sha256(const uint8_t* message, uint32_t length, uint32_t digest[8],
                                const uint32_t* k, const uint32_t* h) {
  for (int i = 0; i < 8; ++i) digest[i] = h[i];
  const uint32_t blocks = (length + 9 + 63) / 64;
  for (uint32_t b = 0; b < blocks; ++b) {
    uint32_t block[16];
    for (uint32_t i = 0; i < 16; ++i) {
      uint32_t word = 0;
      for (uint32_t j = 0; j < 4; ++j) {
        const uint32_t at = b * 64 + i * 4 + j;
        word = word << 8 | (at < length ? message[at] : at == length ? 0x80 : 0);
      }
      block[i] = word;
    }
    if (b == blocks - 1) block[15] = length * 8;
    compress(digest, block, k);
  }
}

__global__ void hashAll(const uint8_t* text, const uint32_t* offsets, int count,
                        uint32_t* digests) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint32_t digest[8];
  sha256(text + offsets[i], offsets[i + 1] - offsets[i], digest, deviceK, deviceH);
  for (int j = 0; j < 8; ++j) digests[8 * i + j] = digest[j];
}

__global__ void mine(const uint8_t* header, int length, int zeros, unsigned* found) {
  const unsigned nonce = blockIdx.x * blockDim.x + threadIdx.x;
  uint8_t message[64];
  memcpy(message, header, length);
  memcpy(message + length, &nonce, sizeof nonce);
  uint32_t digest[8];
  sha256(message, length + sizeof nonce, digest, deviceK, deviceH);
  if (__clz(digest[0]) >= zeros) atomicMin(found, nonce);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 200, zeros = argc > 2 ? atoi(argv[2]) : 9;
  constants(hostK, hostH);
  CUDA_TRY(cudaMemcpyToSymbol(deviceK, hostK, sizeof hostK));
  CUDA_TRY(cudaMemcpyToSymbol(deviceH, hostH, sizeof hostH));
  std::string text = "abc";
  std::vector<uint32_t> offsets{0, 3};
  for (int i = 1; i < count; ++i) {
    for (int j = 0; j < i; ++j) text += char(i * 31 + j * 7);
    offsets.push_back(uint32_t(text.size()));
  }
  uint8_t* dText;
  uint32_t *dOffsets, *dDigests;
  CUDA_TRY(cudaMalloc(&dText, text.size()));
  CUDA_TRY(cudaMalloc(&dOffsets, offsets.size() * 4));
  CUDA_TRY(cudaMalloc(&dDigests, count * 32));
  CUDA_TRY(cudaMemcpy(dText, text.data(), text.size(), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(dOffsets, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice));
  hashAll<<<(count + 63) / 64, 64>>>(dText, dOffsets, count, dDigests);
  CUDA_TRY(cudaGetLastError());
  std::vector<uint32_t> digests(8 * count);
  CUDA_TRY(cudaMemcpy(digests.data(), dDigests, count * 32, cudaMemcpyDeviceToHost));
  const uint32_t published[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  if (memcmp(digests.data(), published, sizeof published)) {
    printf("FAIL: the digest of abc begins with %08" PRIx32 "\n", digests[0]);
    return 1;
  }
  for (int i = 0; i < count; ++i) {
    uint32_t digest[8];
    sha256(reinterpret_cast<const uint8_t*>(text.data()) + offsets[i], offsets[i + 1] - offsets[i],
           digest, hostK, hostH);
    if (memcmp(digest, &digests[8 * i], sizeof digest)) {
      printf("FAIL: digest %d differs\n", i);
      return 1;
    }
  }
  const char header[] = "a block of transactions";
  unsigned *dFound, found = ~0u;
  CUDA_TRY(cudaMalloc(&dFound, sizeof found));
  CUDA_TRY(cudaMemset(dFound, 0xff, sizeof found));
  CUDA_TRY(cudaMemcpy(dText, header, sizeof header, cudaMemcpyHostToDevice));
  mine<<<16, 128>>>(dText, sizeof header - 1, zeros, dFound);
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaMemcpy(&found, dFound, sizeof found, cudaMemcpyDeviceToHost));
  unsigned expected = ~0u;
  for (unsigned nonce = 0; nonce < 16 * 128 && expected == ~0u; ++nonce) {
    uint8_t message[64];
    memcpy(message, header, sizeof header - 1);
    memcpy(message + sizeof header - 1, &nonce, sizeof nonce);
    uint32_t digest[8];
    sha256(message, sizeof header - 1 + sizeof nonce, digest, hostK, hostH);
    if (digest[0] >> (32 - zeros) == 0) expected = nonce;
  }
  CUDA_TRY(cudaFree(dText));
  CUDA_TRY(cudaFree(dOffsets));
  CUDA_TRY(cudaFree(dDigests));
  CUDA_TRY(cudaFree(dFound));
  printf(found == expected ? "PASS: nonce %u\n" : "FAIL: nonce %u, expected %u\n", found, expected);
  return found != expected;
}
