// Pinned, mapped, registered, managed and stream-ordered memory, and the runtime's attributes of
// each pointer.
#include <cstring>

#include "check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__global__ void walk(Node* list, int* sum) {
  for (Node* n = list; n; n = n->next) {
    *sum += n->value;
    n->value = -n->value;  // the host sees this
  }
}

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(int);
  const auto right = [](const int* p) {
    for (int i = 0; i < n; ++i)
      if (p[i] != i * i) return false;
    return true;
  };
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.canMapHostMemory && properties.managedMemory && properties.unifiedAddressing);

  // Zero copy: mapped host memory.
  int *in, *out, *dIn, *dOut;
  CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
  CHECK(cudaHostAlloc(&in, bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&out, bytes, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer((void**)&dIn, in, 0));
  CHECK(cudaHostGetDevicePointer((void**)&dOut, out, 0));
  for (int i = 0; i < n; ++i) in[i] = i;
  square<<<(n + 127) / 128, 128>>>(dIn, dOut, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  EXPECT(right(out));
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, out + 5));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == dOut + 5);

  // The program's own memory, registered.
  std::vector<int> own(n + 1024);
  CHECK(cudaHostRegister(own.data(), own.size() * sizeof(int), cudaHostRegisterMapped));
  int* dOwn;
  CHECK(cudaHostGetDevicePointer(&dOwn, own.data(), 0));
  square<<<(n + 127) / 128, 128>>>(in, dOwn, n);
  CHECK(cudaDeviceSynchronize());
  EXPECT(right(own.data()));
  CHECK(cudaHostUnregister(own.data()));

  // Managed memory.
  int* managed;
  CHECK(cudaMallocManaged(&managed, 2 * bytes));
  for (int i = 0; i < n; ++i) managed[i] = i;
  CHECK(cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly, 0));
  CHECK(cudaMemPrefetchAsync(managed, 2 * bytes, 0));
  square<<<(n + 127) / 128, 128>>>(managed, managed + n, n);
  CHECK(cudaMemPrefetchAsync(managed + n, bytes, cudaCpuDeviceId));
  CHECK(cudaDeviceSynchronize());
  EXPECT(right(managed + n));
  CHECK(cudaPointerGetAttributes(&attributes, managed));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == managed);
  memset(managed + n, 0, bytes);
  CHECK(cudaMemcpy(managed + n, out, bytes, cudaMemcpyDefault));
  EXPECT(right(managed + n));
  CHECK(cudaFree(managed));

  // A list whose pointers host and device both follow.
  Node* head = nullptr;
  int *sum, expected = 0;
  CHECK(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  for (int i = 0; i < 20; ++i) {
    Node* node;
    CHECK(cudaMallocManaged(&node, sizeof(Node)));
    *node = {i * 3, head};
    head = node;
    expected += i * 3;
  }
  walk<<<1, 1>>>(head, sum);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*sum == expected);
  for (int i = 19; head; --i) {
    EXPECT(head->value == -3 * i);
    Node* next = head->next;
    CHECK(cudaFree(head));
    head = next;
  }
  CHECK(cudaFree(sum));

  // Allocations in the order of a stream.
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* ordered;
  CHECK(cudaMallocAsync((void**)&ordered, 2 * bytes, stream));
  CHECK(cudaMemsetAsync(ordered, 0xff, 2 * bytes, stream));
  CHECK(cudaMemcpyAsync(ordered, in, bytes, cudaMemcpyHostToDevice, stream));
  square<<<(n + 127) / 128, 128, 0, stream>>>(ordered, ordered + n, n);
  std::vector<int> got(n);
  CHECK(cudaMemcpyAsync(got.data(), ordered + n, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(ordered, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(right(got.data()));
  CHECK(cudaStreamDestroy(stream));

  // Freed memory counts as free again.
  size_t free0, free1, free2, total;
  CHECK(cudaMemGetInfo(&free0, &total));
  void* large;
  CHECK(cudaMalloc(&large, 1 << 20));
  CHECK(cudaPointerGetAttributes(&attributes, large));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
  CHECK(cudaMemGetInfo(&free1, &total));
  CHECK(cudaFree(large));
  CHECK(cudaMemGetInfo(&free2, &total));
  EXPECT(free0 <= total && free1 <= free0 - (1 << 20) && free2 == free0);
  CHECK(cudaPointerGetAttributes(&attributes, got.data()));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(cudaFree(nullptr));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  printf("PASS\n");
}
