// printf in kernels, caught in a file and compared line by line; then a failing assertion, whose
// error the program must get and which must stay.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "check.h"

__global__ void speak(const char* name, float f, long long big) {
  const int t = threadIdx.x;
  if (t == 0) printf("%s has %d threads of 100%%, %c%c\n", "block", blockDim.x, 'o', 'k');
  __syncthreads();
  if (t % 9 == 1) {
    int written = printf("thread %2d: %-6s|%8.3f|%+d|%#x|%lld|%5.2e|%u\n", t, name, f * t, -t,
                         t * 255, big + t, double(f) * t, 4000000000u);
    if (written < 0) printf("?\n");
  }
}

__global__ void quiet() {
  if (threadIdx.x == 500) printf("never\n");
}

__global__ void checked(const int* data, int limit) {
  const int i = threadIdx.x;
  assert(data[i] < limit && "the data are in range");
}

int main() {
  const int threads = 40;
  const char name[] = "name";
  const char* const dName = toDevice(std::vector<char>(name, name + sizeof name));
  size_t fifo = 0;
  CHECK(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize));
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));

  fflush(stdout);
  const int kept = dup(1);
  FILE* file = tmpfile();
  if (kept < 0 || !file || dup2(fileno(file), 1) < 0)
    return fprintf(stderr, "no file to print to\n"), 1;
  speak<<<1, threads>>>(dName, 0.5f, 1ll << 40);
  quiet<<<2, 64>>>();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  fflush(stdout);
  dup2(kept, 1);
  rewind(file);
  std::vector<std::string> lines, expected;
  char line[256];
  while (fgets(line, sizeof line, file)) lines.push_back(line);
  fclose(file);
  snprintf(line, sizeof line, "block has %d threads of 100%%, ok\n", threads);
  expected.push_back(line);
  for (int t = 1; t < threads; t += 9) {
    snprintf(line, sizeof line, "thread %2d: %-6s|%8.3f|%+d|%#x|%lld|%5.2e|%u\n", t, name, 0.5 * t,
             -t, t * 255, (1ll << 40) + t, 0.5 * t, 4000000000u);
    expected.push_back(line);
  }
  std::sort(lines.begin(), lines.end());  // threads print in any order
  std::sort(expected.begin(), expected.end());
  if (lines != expected)
    fail("%zu lines, expected %zu; the first is %s", lines.size(), expected.size(),
         lines.empty() ? "none\n" : lines[0].c_str());

  std::vector<int> data(64);
  for (int i = 0; i < 64; ++i) data[i] = i;
  const int* const dData = toDevice(data);
  checked<<<1, 64>>>(dData, 64);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  checked<<<1, 64>>>(dData, 60);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaErrorAssert) fail("the assertion gives %s", cudaGetErrorName(error));
  error = cudaMemcpy(data.data(), dData, 4, cudaMemcpyDeviceToHost);  // fails: the error stays
  if (error != cudaErrorAssert) fail("afterwards a copy gives %s", cudaGetErrorName(error));
  printf("PASS\n");
}
