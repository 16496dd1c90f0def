// AES-128 in counter mode. The host makes the tables, which lie in constant and shared memory. FIPS
// 197's example is checked.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CU_CHECK(e)                                             \
  do {                                                          \
    if (cudaError_t r = (e)) {                                  \
      std::printf("FAIL: %s: %s\n", #e, cudaGetErrorString(r)); \
      std::exit(1);                                             \
    }                                                           \
  } while (0)

union Block {
  uint8_t bytes[16];
  uint32_t words[4];
  uint4 vector;
};

struct Key {
  uint32_t words[44];
};

__constant__ uint8_t deviceBox[256];
static uint8_t hostBox[256];

__host__ __device__ inline uint8_t twice(uint8_t x) {
  return uint8_t(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static void makeBox() {
  uint8_t p = 1, q = 1;  // p walks through the field; q is its inverse
  do {
    p = uint8_t(p ^ twice(p));
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    if (q & 0x80) q ^= 0x09;
    const auto rotl = [](uint8_t x, int n) { return uint8_t(x << n | x >> (8 - n)); };
    hostBox[p] = uint8_t(q ^ rotl(q, 1) ^ rotl(q, 2) ^ rotl(q, 3) ^ rotl(q, 4) ^ 0x63);
  } while (p != 1);
  hostBox[0] = 0x63;
}

static Key expand(const uint8_t key[16]) {
  Key k;
  std::memcpy(k.words, key, 16);
  uint8_t round = 1;
  for (int i = 4; i < 44; ++i) {
    uint32_t w = k.words[i - 1];
    if (i % 4 == 0) {
      w = w >> 8 | w << 24;
      uint8_t b[4];
      std::memcpy(b, &w, 4);
      for (uint8_t& x : b) x = hostBox[x];
      b[0] ^= round;
      round = twice(round);
      std::memcpy(&w, b, 4);
    }
    k.words[i] = k.words[i - 4] ^ w;
  }
  return k;
}

__host__ __device__ void encrypt(Block& s, const Key& key, const uint8_t* box) {
  for (int i = 0; i < 4; ++i) s.words[i] ^= key.words[i];
  for (int round = 1; round <= 10; ++round) {
    Block t;
    for (int i = 0; i < 16; ++i) t.bytes[i] = box[s.bytes[(i + 4 * (i % 4)) % 16]];
    if (round < 10)
      for (int c = 0; c < 4; ++c) {
        uint8_t* b = t.bytes + 4 * c;
        const uint8_t all = b[0] ^ b[1] ^ b[2] ^ b[3], first = b[0];
        for (int i = 0; i < 3; ++i) b[i] ^= all ^ twice(b[i] ^ b[i + 1]);
        b[3] ^= all ^ twice(b[3] ^ first);
      }
    for (int i = 0; i < 4; ++i) s.words[i] = t.words[i] ^ key.words[4 * round + i];
  }
}

__global__ void counterMode(const uint4* in, uint4* out, int blocks, Key key,
                            Block counter) {  // passed by value
  __shared__ uint8_t box[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) box[i] = deviceBox[i];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  counter.words[3] ^= __byte_perm(i, 0, 0x0123);  // big-endian
  encrypt(counter, key, box);
  const uint4 p = in[i];
  out[i] = make_uint4(p.x ^ counter.words[0], p.y ^ counter.words[1], p.z ^ counter.words[2],
                      p.w ^ counter.words[3]);
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 500;
  makeBox();
  CU_CHECK(cudaMemcpyToSymbol(deviceBox, hostBox, sizeof hostBox));
  uint8_t secret[16];
  Block example, published = {{0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7,
                               0x80, 0x70, 0xb4, 0xc5, 0x5a}};
  for (int i = 0; i < 16; ++i) secret[i] = uint8_t(i), example.bytes[i] = uint8_t(i * 0x11);
  const Key key = expand(secret);

  std::vector<Block> plain(blocks), cipher(blocks), again(blocks);
  for (int i = 0; i < blocks; ++i)
    for (int j = 0; j < 16; ++j) plain[i].bytes[j] = uint8_t(i == 0 ? 0 : i * 7 + j * j);
  uint4 *in, *out;
  CU_CHECK(cudaMalloc(&in, blocks * sizeof(Block)));
  CU_CHECK(cudaMalloc(&out, blocks * sizeof(Block)));
  CU_CHECK(cudaMemcpy(in, plain.data(), blocks * sizeof(Block), cudaMemcpyHostToDevice));
  counterMode<<<(blocks + 127) / 128, 128>>>(in, out, blocks, key, example);
  CU_CHECK(cudaGetLastError());
  CU_CHECK(cudaMemcpy(cipher.data(), out, blocks * sizeof(Block), cudaMemcpyDeviceToHost));
  counterMode<<<(blocks + 127) / 128, 128>>>(out, in, blocks, key, example);
  CU_CHECK(cudaGetLastError());
  CU_CHECK(cudaMemcpy(again.data(), in, blocks * sizeof(Block), cudaMemcpyDeviceToHost));
  CU_CHECK(cudaFree(in));
  CU_CHECK(cudaFree(out));
  if (std::memcmp(&cipher[0], &published, 16)) {  // encrypts zeros with the example's counter
    std::printf("FAIL: the published example begins with %02x\n", cipher[0].bytes[0]);
    return 1;
  }
  if (std::memcmp(again.data(), plain.data(), blocks * sizeof(Block))) {
    std::puts("FAIL: what was deciphered is not what was enciphered");
    return 1;
  }
  for (int i = 0; i < blocks; ++i) {
    Block s = example;
    s.words[3] ^= __builtin_bswap32(i);
    encrypt(s, key, hostBox);
    for (int j = 0; j < 16; ++j)
      if ((s.bytes[j] ^ plain[i].bytes[j]) != cipher[i].bytes[j]) {
        std::printf("FAIL: block %d, byte %d\n", i, j);
        return 1;
      }
  }
  std::puts("PASS");
  return 0;
}
