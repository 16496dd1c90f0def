// malloc, new and free in kernels: lists that outlive their launch, arrays that a block shares,
// constructors and destructors, virtual functions, and null when the heap is full.
#include <memory>

#include "check.h"

struct Node {
  int value;
  Node* next;
};

__device__ Node* heads[64];
__device__ int alive;

struct Counted {
  int value;
  __device__ explicit Counted(int v) : value(v) { atomicAdd(&alive, 1); }
  __device__ ~Counted() { atomicSub(&alive, 1); }
};

__global__ void makeLists() {
  const int t = threadIdx.x;
  Node* head = nullptr;
  for (int i = 0; i < t % 7; ++i) {
    Node* node = (Node*)malloc(sizeof(Node));
    node->value = t * 10 + i;
    node->next = head;
    head = node;
  }
  heads[t] = head;
}

__global__ void sumLists(int* sums) {
  int sum = 0;
  for (Node* n = heads[threadIdx.x]; n;) {
    Node* next = n->next;
    sum += n->value;
    free(n);
    n = next;
  }
  sums[threadIdx.x] = sum;
}

__global__ void shareBlock(int* out) {
  __shared__ int* data;
  if (threadIdx.x == 0) data = new int[blockDim.x];
  __syncthreads();
  if (!data) return;
  data[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) delete[] data;
}

__global__ void objects(int* out) {
  Counted* one = new Counted(threadIdx.x);
  out[threadIdx.x] = one->value * 2;
  if (threadIdx.x % 3) delete one;
}

__global__ void tooMuch(int* out) {
  void* volatile p =
      malloc(size_t(1) << 34);  // volatile: or a compiler drops the call and assumes success
  out[0] = p == nullptr;
  free(nullptr);
}

__global__ void copies(char* out, int n) {
  char* buffer = (char*)malloc(n);
  memset(buffer, 'a' + threadIdx.x, n);
  memcpy(out + threadIdx.x * n, buffer, n);
  free(buffer);
}

#define BOTH __host__ __device__

class Shape {
 public:
  BOTH explicit Shape(int side) : side_(side) {}
  BOTH virtual ~Shape() {}
  BOTH virtual int area() const = 0;
  BOTH virtual int corners() const { return 4; }

 protected:
  int side_;
};
class Square : public Shape {
 public:
  using Shape::Shape;
  BOTH int area() const override { return side_ * side_; }
};
class Triangle : public Shape {
 public:
  BOTH Triangle(int side, int height) : Shape(side), height_(height) {}
  BOTH int area() const override { return side_ * height_ / 2; }
  BOTH int corners() const override { return 3; }

 private:
  int height_;
};

typedef int (*Measure)(const Shape&);
BOTH int areaOf(const Shape& shape) {
  return shape.area();
}
BOTH int cornersOf(const Shape& shape) {
  return shape.corners() * 1000;
}
__device__ Measure deviceMeasures[] = {areaOf, cornersOf};
const Measure hostMeasures[] = {areaOf, cornersOf};

BOTH Shape* shapeOf(int i) {
  if (i % 3 == 0) return new Square(i);
  return new Triangle(i, i + 5);
}

__global__ void build(Shape** shapes) {
  shapes[threadIdx.x] = shapeOf(threadIdx.x);
}
__global__ void measure(Shape** shapes, int* out) {
  Shape* const shape = shapes[threadIdx.x];
  out[threadIdx.x] = deviceMeasures[threadIdx.x / 2 % 2](*shape);
  delete shape;
}

/// Kernels call the virtual functions of objects that an earlier launch made.
void testShapes() {
  Shape** const shapes = newOnDevice<Shape*>(32);
  int* const out = newOnDevice<int>(32);
  build<<<1, 32>>>(shapes);
  measure<<<1, 32>>>(shapes, out);
  const std::vector<int> got = toHost(out, 32);
  for (int i = 0; i < 32; ++i) {
    const std::unique_ptr<Shape> shape(shapeOf(i));
    const int expected = hostMeasures[i / 2 % 2](*shape);
    if (got[i] != expected) fail("shape %d measures %d, expected %d", i, got[i], expected);
  }
}

int main() {
  const int blocks = 5;
  size_t limit = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  if (limit < 4 << 20) fail("a heap of %zu bytes", limit);
  int* const out = newOnDevice<int>(blocks * 64);
  std::vector<int> got;
  for (int round = 0; round < 3; ++round) {
    makeLists<<<1, 64>>>();
    sumLists<<<1, 64>>>(out);
    got = toHost(out, 64);
    for (int t = 0; t < 64; ++t) {
      const int n = t % 7, e = t * 10 * n + n * (n - 1) / 2;
      if (got[t] != e) fail("list %d has %d, expected %d", t, got[t], e);
    }
  }
  shareBlock<<<blocks, 64>>>(out);
  got = toHost(out, blocks * 64);
  for (int i = 0; i < blocks * 64; ++i)
    if (got[i] != i / 64 * 1000 + 63 - i % 64) fail("element %d is %d", i, got[i]);
  objects<<<1, 60>>>(out);
  got = toHost(out, 60);
  int left = -1;
  CHECK(cudaMemcpyFromSymbol(&left, alive, sizeof left));
  if (got[59] != 118 || left != 20) fail("%d objects are left, expected 20", left);
  tooMuch<<<1, 1>>>(out);
  if (toHost(out, 1)[0] != 1) fail("16 GiB are there");
  copies<<<1, 10>>>((char*)out, 33);
  const std::vector<char> text = toHost((const char*)out, 330);
  for (int i = 0; i < 330; ++i)
    if (text[i] != 'a' + i / 33) fail("byte %d is %d", i, text[i]);
  CHECK(cudaFree(out));
  testShapes();
  puts("PASS");
}
