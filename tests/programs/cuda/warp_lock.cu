// Forward progress: spin locks for which lanes of one warp contend, a ticket counter between
// blocks, fences.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x) \
  if (cudaError_t e = (x)) return printf("FAIL: %s\n", cudaGetErrorString(e)), 1

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

int main(int argc, char** argv) {
  const int accounts = argc > 1 ? atoi(argv[1]) : 11, blocks = 3, threads = 64;
  std::vector<int> host(accounts, 1000), got(accounts), expected(accounts, 1000);
  for (int t = 0; t < blocks * threads; ++t) {
    int& account = expected[(t * 7 + 3) % accounts];
    account = account * 3 % 1000 + 1;
  }
  int* memory;
  CHECK(cudaMalloc(&memory, 2 * accounts * sizeof(int)));
  CHECK(cudaMemset(memory, 0, 2 * accounts * sizeof(int)));
  CHECK(cudaMemcpy(memory, host.data(), accounts * sizeof(int), cudaMemcpyHostToDevice));
  int* mutexes = memory + accounts;
  deposit<<<blocks, threads>>>(memory, mutexes, accounts);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got.data(), memory, accounts * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < accounts; ++i)
    if (got[i] != expected[i])
      return printf("FAIL: account %d has %d, expected %d\n", i, got[i], expected[i]), 1;
  CHECK(cudaFree(memory));

  int *turn, *list, last = 0, e = 1;
  CHECK(cudaMalloc(&turn, 4));
  CHECK(cudaMemset(turn, 0, 4));
  CHECK(cudaMalloc(&list, 40 * sizeof(int)));
  inTurn<<<40, 32>>>(turn, list);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&last, list + 39, sizeof last, cudaMemcpyDeviceToHost));
  for (int i = 1; i < 40; ++i) e = e * 3 % 1000;
  if (last != e) return printf("FAIL: the list ends with %d, expected %d\n", last, e), 1;
  CHECK(cudaFree(turn));
  CHECK(cudaFree(list));
  puts("PASS");
  return 0;
}
