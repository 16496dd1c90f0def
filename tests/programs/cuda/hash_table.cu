// An open-addressing hash table of 64-bit entries: inserts by atomicCAS, counts by atomicAdd,
// lookups, and erasure with tombstones, against std::unordered_map.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#define CHECK(call)                                                            \
  if (cudaError_t e_ = (call); e_ != cudaSuccess) {                            \
    fprintf(stderr, "%s:%d %s %s\n", __FILE__, __LINE__, cudaGetErrorName(e_), \
            cudaGetErrorString(e_));                                           \
    return 1;                                                                  \
  }

struct Entry {
  uint32_t key, value;
};
static_assert(sizeof(Entry) == sizeof(unsigned long long), "one word");

const uint32_t kEmpty = 0xffffffff, kGone = 0xfffffffe;

__host__ __device__ inline unsigned long long pack(uint32_t key, uint32_t value) {
  return (unsigned long long)value << 32 | key;
}

__device__ inline uint32_t mix(uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  return k ^ (k >> 16);
}

__global__ void insert(unsigned long long* table, uint32_t mask, const Entry* entries, int n,
                       unsigned* probes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Entry e = entries[i];
  uint32_t slot = mix(e.key) & mask;
  for (uint32_t tries = 0; tries <= mask; ++tries) {
    unsigned long long seen = atomicCAS(&table[slot], pack(kEmpty, 0), pack(e.key, e.value));
    if ((uint32_t)seen == kEmpty) break;
    if ((uint32_t)seen == e.key) {  // values of equal keys add up
      atomicAdd(reinterpret_cast<uint32_t*>(&table[slot]) + 1, e.value);
      break;
    }
    atomicInc(probes, 0xffffffffu);
    slot = (slot + 1) & mask;
  }
}

__global__ void look(const unsigned long long* table, uint32_t mask, const uint32_t* keys,
                     uint32_t* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t slot = mix(keys[i]) & mask;
  values[i] = kEmpty;
  for (uint32_t tries = 0; tries <= mask; ++tries, slot = (slot + 1) & mask) {
    const unsigned long long seen = table[slot];
    if ((uint32_t)seen == kEmpty) return;
    if ((uint32_t)seen != keys[i]) continue;
    values[i] = (uint32_t)(seen >> 32);
    return;
  }
}

__global__ void erase(unsigned long long* table, uint32_t mask, const uint32_t* keys, int n,
                      int* erased) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t slot = mix(keys[i]) & mask;
  while (true) {
    const unsigned long long seen = table[slot];
    if ((uint32_t)seen == kEmpty) return;
    if ((uint32_t)seen == keys[i]) {
      if (atomicCAS(&table[slot], seen, pack(kGone, 0)) == seen) atomicAdd(erased, 1);
      return;
    }
    slot = (slot + 1) & mask;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4000;
  uint32_t slots = 1;
  while (slots < 2u * n) slots *= 2;
  std::vector<Entry> entries(n);
  std::unordered_map<uint32_t, uint32_t> expected;
  uint32_t s = 1;
  for (Entry& e : entries) {
    s = s * 1664525u + 1013904223u;
    e = {(s >> 8) % uint32_t(2 * n), s >> 20};
    expected[e.key] += e.value;
  }
  std::vector<uint32_t> keys(2 * n), gone, values(2 * n);
  for (int i = 0; i < 2 * n; ++i) {
    keys[i] = i;
    if (i % 5 == 0) gone.push_back(i);
  }
  unsigned long long* table;
  Entry* dEntries;
  uint32_t *dKeys, *dValues, *dGone;
  unsigned *probes, gotProbes = 0;
  int *erased, gotErased = 0, wantErased = 0;
  CHECK(cudaMalloc(&table, slots * sizeof *table));
  CHECK(cudaMalloc(&dEntries, n * sizeof(Entry)));
  CHECK(cudaMalloc(&dKeys, keys.size() * 4));
  CHECK(cudaMalloc(&dValues, keys.size() * 4));
  CHECK(cudaMalloc(&dGone, gone.size() * 4));
  CHECK(cudaMalloc(&probes, 8));
  erased = (int*)probes + 1;
  std::vector<unsigned long long> empty(slots, pack(kEmpty, 0));
  CHECK(cudaMemcpy(table, empty.data(), slots * sizeof *table, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dEntries, entries.data(), n * sizeof(Entry), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dKeys, keys.data(), keys.size() * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dGone, gone.data(), gone.size() * 4, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(probes, 0, 8));
  insert<<<(n + 255) / 256, 256>>>(table, slots - 1, dEntries, n, probes);
  CHECK(cudaGetLastError());
  for (int round = 0; round < 2; ++round) {
    look<<<(2 * n + 255) / 256, 256>>>(table, slots - 1, dKeys, dValues, 2 * n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), dValues, values.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * n; ++i) {
      const auto found = expected.find(i);
      const uint32_t e = found == expected.end() ? kEmpty : found->second;
      if (values[i] == e) continue;
      printf("FAIL: round %d: key %d has value %u, expected %u\n", round, i, values[i], e);
      return 1;
    }
    if (round) break;
    erase<<<(int(gone.size()) + 255) / 256, 256>>>(table, slots - 1, dGone, int(gone.size()),
                                                   erased);
    CHECK(cudaGetLastError());
    for (uint32_t key : gone) wantErased += int(expected.erase(key));
  }
  CHECK(cudaMemcpy(&gotErased, erased, 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&gotProbes, probes, 4, cudaMemcpyDeviceToHost));
  for (void* p :
       {(void*)table, (void*)dEntries, (void*)dKeys, (void*)dValues, (void*)dGone, (void*)probes})
    CHECK(cudaFree(p));
  printf(gotErased == wantErased ? "PASS: %d erased, %u probes\n"
                                 : "FAIL: %d erased after %u probes\n",
         gotErased, gotProbes);
  return gotErased != wantErased;
}
