// Device variables by symbol: constant structs, arrays with offsets, addresses, initial values, a
// pointer that the host sets, and variables of templates, namespaces and kernels (static).
#include <numeric>
#include <string>

#include "check.h"

struct Settings {
  int rounds;
  double scale;
  float table[4];
};

__constant__ Settings settings = {3, 1.5, {1, 2, 3, 4}};
__constant__ int lookup[256];
__device__ int counter = 40;
__device__ float history[64];
__device__ const char* const greetings[] = {"hello", "world"};
__device__ int* where;
static __device__ short quiet = -7;
namespace inner {
__device__ unsigned long long total;
}
template <class T>
struct Holder {
  static __device__ T held;
};
template <class T>
__device__ T Holder<T>::held = T(9);

__global__ void use(double* out) {
  const int t = threadIdx.x;
  double sum = 0;
  for (int r = 0; r < settings.rounds; ++r) sum += settings.scale * settings.table[(t + r) % 4];
  out[t] = sum + lookup[t];
  history[t] = t * 2.5f;
  atomicAdd(&counter, 1);
  atomicAdd(&inner::total, 1ull << t % 40);
  where[t] = lookup[255 - t] + quiet + Holder<int>::held;
}

__global__ void letters(char* out) {
  const char* text = greetings[threadIdx.x % 2];
  out[threadIdx.x] = text[threadIdx.x / 2];
}

__global__ void callsBefore(int* out) {
  __device__ static int calls = 100;
  if (threadIdx.x == 0) *out = ++calls;
}

int main() {
  double* const out = newOnDevice<double>(64);
  int *list = newOnDevice<int>(64), value;
  CHECK(cudaMemcpyToSymbol(where, &list, sizeof list));
  std::vector<int> table(256);
  std::iota(table.begin(), table.end(), 1000);
  CHECK(cudaMemcpyToSymbol(lookup, table.data(), 128 * sizeof(int)));
  CHECK(cudaMemcpyToSymbol(lookup, table.data() + 128, 128 * sizeof(int), 128 * sizeof(int)));
  use<<<1, 64>>>(out);
  std::vector<double> got = toHost(out, 64);
  std::vector<int> gotList = toHost(list, 64);
  for (int t = 0; t < 64; ++t) {
    double sum = 0;
    for (int r = 0; r < 3; ++r) sum += 1.5 * ((t + r) % 4 + 1);
    EXPECT(got[t] == sum + 1000 + t);
    EXPECT(gotList[t] == 1255 - t - 7 + 9);
  }
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 104);
  unsigned long long total;
  CHECK(cudaMemcpyFromSymbol(&total, inner::total, sizeof total));
  EXPECT(total == ((1ull << 40) - 1) + ((1ull << 24) - 1));
  float part[8];
  CHECK(cudaMemcpyFromSymbol(part, history, sizeof part, 16 * sizeof(float)));
  EXPECT(part[7] == 23 * 2.5f);

  // A symbol's address can be used like that of any other memory.
  float* address;
  size_t bytes;
  CHECK(cudaGetSymbolAddress((void**)&address, history));
  CHECK(cudaGetSymbolSize(&bytes, history));
  EXPECT(bytes == sizeof(float) * 64);
  CHECK(cudaMemset(address, 0, bytes));
  CHECK(cudaMemcpyFromSymbol(part, history, sizeof part, 56 * sizeof(float)));
  EXPECT(part[0] == 0.f);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, address));
  EXPECT(attributes.type == cudaMemoryTypeDevice);

  Settings changed = {1, -2, {5, 5, 5, 5}};
  CHECK(cudaMemcpyToSymbol(settings, &changed, sizeof changed));
  const int nine = 11;
  CHECK(cudaMemcpyToSymbol(Holder<int>::held, &nine, sizeof nine));
  use<<<1, 64>>>(out);
  got = toHost(out, 64);
  gotList = toHost(list, 64);
  EXPECT(got[10] == 1010 - 10.0);
  EXPECT(gotList[0] == 1255 - 7 + 11);
  char* const text = newOnDevice<char>(10);
  letters<<<1, 10>>>(text);
  const std::vector<char> gotText = toHost(text, 10);
  EXPECT(std::string(gotText.begin(), gotText.end()) == "hweolrllod");
  for (int call = 1; call < 4; ++call) {
    callsBefore<<<1, 32>>>(list);
    EXPECT(toHost(list, 1)[0] == 100 + call);
  }
  GIVES(cudaMemcpyToSymbol(counter, got.data(), 5), cudaErrorInvalidValue);  // one byte too many
  puts("PASS");
}
