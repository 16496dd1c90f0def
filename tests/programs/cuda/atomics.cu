// Atomics: each operation on each type, in global and in shared memory; a hash table of 64-bit
// entries; locks for which lanes of one warp contend, blocks that take turns, and sums that the
// last block completes.
#include <cstdint>
#include <type_traits>
#include <unordered_map>

#include "check.h"

const int kThreads = 96, kCells = 5;

// Columns: name, function, and what it leaves of `a` and `b`.
#define OPERATIONS(F)              \
  F(Add, atomicAdd, a + b)         \
  F(Min, atomicMin, a < b ? a : b) \
  F(Max, atomicMax, a > b ? a : b) \
  F(And, atomicAnd, a& b)          \
  F(Or, atomicOr, a | b)           \
  F(Xor, atomicXor, a ^ b)         \
  F(Inc, atomicInc, a >= b ? 0 : a + 1)
#define OPERATION(Name, function, left)       \
  struct Name {                               \
    template <class T>                        \
    __device__ static void apply(T* a, T b) { \
      function(a, b);                         \
    }                                         \
    template <class T>                        \
    static T expected(T a, T b) {             \
      return left;                            \
    }                                         \
  };
OPERATIONS(OPERATION)

template <class Operation, class T>
__global__ void update(const T* in, T* global, T* out) {
  __shared__ T cells[kCells];
  const int t = threadIdx.x;
  if (t < kCells) cells[t] = global[t];
  __syncthreads();
  Operation::apply(&global[t % kCells], in[t]);
  Operation::apply(&cells[t % kCells], in[t]);
  __syncthreads();
  if (t < kCells) out[t] = cells[t];
}

/// Results do not depend on the order: sums are exact, and all bounds of atomicInc are equal.
template <class Operation, class T>
void testOperation(const char* name) {
  std::vector<T> in(kThreads), cells(kCells, T(37));
  for (int t = 0; t < kThreads; ++t) in[t] = T((t * 7919 + 11) % 1009);
  if (std::is_same<Operation, Inc>::value) in.assign(kThreads, T(40));
  T *const global = toDevice(cells), *const shared = newOnDevice<T>(kCells);
  update<Operation><<<1, kThreads>>>(toDevice(in), global, shared);
  for (int t = 0; t < kThreads; ++t)
    cells[t % kCells] = Operation::expected(cells[t % kCells], in[t]);
  expectSame(name, toHost(global, kCells), cells);
  expectSame(name, toHost(shared, kCells), cells);
}

template <class T>
void testIntegers() {
  testOperation<Add, T>("Add");
  testOperation<Min, T>("Min");
  testOperation<Max, T>("Max");
  testOperation<And, T>("And");
  testOperation<Or, T>("Or");
  testOperation<Xor, T>("Xor");
}

const uint32_t kEmpty = 0xffffffff;

struct Entry {
  uint32_t key, value;
};

__host__ __device__ inline unsigned long long pack(uint32_t key, uint32_t value) {
  return (unsigned long long)value << 32 | key;
}

__device__ inline uint32_t mix(uint32_t k) {
  k = (k ^ k >> 16) * 0x85ebca6b;
  k = (k ^ k >> 13) * 0xc2b2ae35;
  return k ^ k >> 16;
}

__global__ void insert(unsigned long long* table, uint32_t mask, const Entry* entries, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Entry e = entries[i];
  for (uint32_t slot = mix(e.key) & mask;; slot = (slot + 1) & mask) {
    const auto seen = (uint32_t)atomicCAS(&table[slot], pack(kEmpty, 0), pack(e.key, e.value));
    if (seen == kEmpty) return;
    if (seen != e.key) continue;
    atomicAdd(reinterpret_cast<uint32_t*>(&table[slot]) + 1, e.value);  // equal keys add up
    return;
  }
}

__global__ void look(const unsigned long long* table, uint32_t mask, uint32_t* values, int n) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= n) return;
  uint32_t slot = mix(key) & mask;
  while ((uint32_t)table[slot] != kEmpty && (uint32_t)table[slot] != key) slot = (slot + 1) & mask;
  values[key] = (uint32_t)table[slot] == kEmpty ? kEmpty : (uint32_t)(table[slot] >> 32);
}

void testHashTable() {
  const int n = 4000, keys = 2 * n;
  const uint32_t slots = 8192;
  std::vector<Entry> entries(n);
  std::unordered_map<uint32_t, uint32_t> held;
  uint32_t s = 1;
  for (Entry& e : entries) {
    s = s * 1664525u + 1013904223u;
    e = {(s >> 8) % uint32_t(keys), s >> 20};
    held[e.key] += e.value;
  }
  unsigned long long* const table =
      toDevice(std::vector<unsigned long long>(slots, pack(kEmpty, 0)));
  uint32_t* const values = newOnDevice<uint32_t>(keys);
  insert<<<(n + 255) / 256, 256>>>(table, slots - 1, toDevice(entries), n);
  look<<<(keys + 255) / 256, 256>>>(table, slots - 1, values, keys);
  std::vector<uint32_t> expected(keys, kEmpty);
  for (const auto& [key, value] : held) expected[key] = value;
  expectSame("the table", toHost(values, keys), expected);
}

__device__ bool tryLock(int* mutex) {
  if (atomicCAS(mutex, 0, 1) != 0) return false;
  __threadfence();
  return true;
}
__device__ void unlock(int* mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

__global__ void deposit(volatile int* accounts, int* mutexes, int count) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, account = (t * 7 + 3) % count;
  bool done = false;
  while (!done) {  // lanes of a warp must take turns
    if (tryLock(mutexes + account)) {
      accounts[account] = accounts[account] * 3 % 1000 + 1;
      unlock(mutexes + account);
      done = true;
    }
  }
}

/// Each block waits for its turn and then appends its number to a list.
__global__ void inTurn(volatile int* turn, int* list) {
  if (threadIdx.x == 0) {
    while (*turn != blockIdx.x) __nanosleep(100);
    list[blockIdx.x] = blockIdx.x == 0 ? 1 : list[blockIdx.x - 1] * 3 % 1000;
    __threadfence();
    *turn = blockIdx.x + 1;
  }
}

void testLocks() {
  const int accounts = 11, blocks = 3, threads = 64;
  std::vector<int> expected(accounts, 1000);
  int* const memory = toDevice(expected);
  int* const mutexes = toDevice(std::vector<int>(accounts));
  for (int t = 0; t < blocks * threads; ++t) {
    int& account = expected[(t * 7 + 3) % accounts];
    account = account * 3 % 1000 + 1;
  }
  deposit<<<blocks, threads>>>(memory, mutexes, accounts);
  expectSame("the accounts", toHost(memory, accounts), expected);

  std::vector<int> turns(40, 1);
  for (int i = 1; i < 40; ++i) turns[i] = turns[i - 1] * 3 % 1000;
  int* const list = newOnDevice<int>(40);
  inTurn<<<40, 32>>>(toDevice(std::vector<int>(1)), list);
  expectSame("the turns", toHost(list, 40), turns);
}

template <class T>
struct Dynamic {  // shared memory of one name and several types
  __device__ operator T*() {
    extern __shared__ __align__(8) int words[];
    return reinterpret_cast<T*>(words);
  }
};

__device__ unsigned arrived = 0;

/// Each warp sums by shuffles; the block that arrives last adds up the sums of all blocks.
template <class T>
__global__ void sum(const T* in, volatile T* partial, T* out, int n) {
  __shared__ bool last;
  T* const ofWarp = Dynamic<T>();
  T value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += in[i];
  for (int d = warpSize / 2; d > 0; d /= 2) value += __shfl_xor_sync(~0u, value, d);
  if (threadIdx.x % warpSize == 0) ofWarp[threadIdx.x / warpSize] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < blockDim.x / warpSize; ++warp) value += ofWarp[warp];
    partial[blockIdx.x] = value;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;  // wraps for the next launch
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  T total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  *out = total;
}

/// Every value is a small integer: the sum is exact in any order.
template <class T>
void testSum(const char* name) {
  const int n = 20011, blocks = 6, threads = 128;
  std::vector<T> in(n), expected(1);
  for (int i = 0; i < n; ++i) expected[0] += in[i] = T(int(i * 2654435761u >> 24) - 100);
  T *const device = toDevice(in), *const partial = newOnDevice<T>(blocks);
  T* const out = newOnDevice<T>(1);
  for (int again = 0; again < 2; ++again) {
    CHECK(cudaMemset(out, 0, sizeof(T)));
    sum<<<blocks, threads, threads / 32 * sizeof(T)>>>(device, partial, out, n);
    expectSame(name, toHost(out, 1), expected);
  }
}

// The compiler's atomics of nvcc 12.8.
__global__ void compilersAtomics(int* i, unsigned long* wide, float* number, short* small) {
  __nv_atomic_fetch_add(&i[0], 2, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(&i[0], 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(wide, (1ul << 40) + threadIdx.x, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_add(number, 1.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  int expected = 0;
  const bool first = __nv_atomic_compare_exchange_n(&i[1], &expected, 7, false,
                                                    __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED);
  if (!first && expected != 7) i[2] = 1;
  if (first) __nv_atomic_store_n(small, short(-9), __NV_ATOMIC_RELEASE);
  int seen;
  __nv_atomic_load(&i[1], &seen, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_fetch_or(&i[3], seen, __NV_ATOMIC_RELAXED);
}
void testCompilersAtomics() {
  int* const integers = toDevice(std::vector<int>(4));
  auto* const wide = toDevice(std::vector<unsigned long>(1));
  float* const number = toDevice(std::vector<float>(1));
  short* const small = toDevice(std::vector<short>(1));
  compilersAtomics<<<1, kThreads>>>(integers, wide, number, small);
  expectSame("integers", toHost(integers, 4), std::vector<int>{kThreads, 7, 0, 7});
  expectSame("wide", toHost(wide, 1), {(1ul << 40) + kThreads - 1});
  expectSame("number", toHost(number, 1), {1.5f * kThreads});
  expectSame("small", toHost(small, 1), {short(-9)});
}

int main() {
  testCompilersAtomics();
  testSum<int>("the sum of int");
  testSum<unsigned long long>("the sum of unsigned long long");
  testSum<float>("the sum of float");
  testSum<double>("the sum of double");
  testIntegers<int>();
  testIntegers<unsigned>();
  testIntegers<unsigned long long>();
  testOperation<Inc, unsigned>("Inc");
  testOperation<Add, float>("Add");
  testOperation<Add, double>("Add");
  testHashTable();
  testLocks();
  puts("PASS");
}
