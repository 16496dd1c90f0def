// Copies of two and three dimensions between pitched memories, copies of parts of them, and fills;
// every byte is checked.
#include <cstdint>

#include "check.h"

__global__ void bump(cudaPitchedPtr p, cudaExtent e) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= e.width) return;
  char* slice = (char*)p.ptr + z * p.pitch * p.ysize;
  ((uint8_t*)(slice + y * p.pitch))[x] += 1 + z;
}

int main() {
  const size_t width = 77, height = 9, depth = 4;
  std::vector<uint8_t> source(width * height * depth), got(source.size());
  for (size_t i = 0; i < source.size(); ++i) source[i] = uint8_t(i * 7 + i / 256);

  // Copies a window of one plane into the middle of another, and back.
  uint8_t *a, *b;
  size_t pitchA, pitchB;
  CHECK(cudaMallocPitch(&a, &pitchA, width, height));
  CHECK(cudaMallocPitch((void**)&b, &pitchB, 2 * width, height + 4));
  if (pitchA < width || pitchA % 32 || pitchB < 2 * width)
    fail("pitches %zu and %zu", pitchA, pitchB);
  CHECK(cudaMemcpy2D(a, pitchA, source.data(), width, width, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemset2D(b, pitchB, 0xee, 2 * width, height + 4));
  CHECK(cudaMemcpy2D(b + 2 * pitchB + 5, pitchB, a + pitchA + 3, pitchA, width - 10, height - 2,
                     cudaMemcpyDeviceToDevice));
  std::vector<uint8_t> plane(2 * width * (height + 4));
  CHECK(cudaMemcpy2D(plane.data(), 2 * width, b, pitchB, 2 * width, height + 4,
                     cudaMemcpyDeviceToHost));
  for (size_t y = 0; y < height + 4; ++y)
    for (size_t x = 0; x < 2 * width; ++x) {
      const bool inside = y >= 2 && y < height && x >= 5 && x < width - 5;
      const uint8_t e = inside ? source[(y - 1) * width + x - 2] : 0xee;
      if (plane[y * 2 * width + x] != e)
        fail("window (%zu, %zu) is %d, expected %d", x, y, plane[y * 2 * width + x], e);
    }
  if (cudaMemcpy2D(a, pitchA, source.data(), width - 1, width, 2, cudaMemcpyHostToDevice) !=
      cudaErrorInvalidPitchValue)
    fail("a width beyond the pitch is taken");
  cudaGetLastError();

  // Copies part of a volume elsewhere within another volume.
  cudaPitchedPtr v, w;
  const cudaExtent extent = make_cudaExtent(width, height, depth);
  CHECK(cudaMalloc3D(&v, extent));
  CHECK(cudaMalloc3D(&w, make_cudaExtent(width + 20, height + 2, depth + 1)));
  CHECK(cudaMemset3D(w, 0x11, make_cudaExtent(width + 20, height + 2, depth + 1)));
  cudaMemcpy3DParms up = {};
  up.srcPtr = make_cudaPitchedPtr(source.data(), width, width, height);
  up.dstPtr = v;
  up.extent = extent;
  up.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&up));
  bump<<<dim3((width + 31) / 32, height, depth), 32>>>(v, extent);
  CHECK(cudaGetLastError());
  cudaMemcpy3DParms part = {};
  part.srcPtr = v;
  part.srcPos = make_cudaPos(8, 1, 1);
  part.dstPtr = w;
  part.dstPos = make_cudaPos(20, 0, 2);
  part.extent = make_cudaExtent(30, 5, 3);
  part.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3DAsync(&part, 0));
  std::vector<uint8_t> whole((width + 20) * (height + 2) * (depth + 1));
  cudaMemcpy3DParms down = {};
  down.srcPtr = w;
  down.dstPtr = make_cudaPitchedPtr(whole.data(), width + 20, width + 20, height + 2);
  down.extent = make_cudaExtent(width + 20, height + 2, depth + 1);
  down.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&down));
  for (size_t z = 0; z < depth + 1; ++z)
    for (size_t y = 0; y < height + 2; ++y)
      for (size_t x = 0; x < width + 20; ++x) {
        const bool inside = x >= 20 && x < 50 && y < 5 && z >= 2;
        const uint8_t e =
            inside ? uint8_t(source[((z - 1) * height + y + 1) * width + x - 12] + 1 + z - 1)
                   : 0x11;
        const uint8_t g = whole[(z * (height + 2) + y) * (width + 20) + x];
        if (g != e) fail("(%zu, %zu, %zu) is %d, expected %d", x, y, z, g, e);
      }

  // CUDA arrays.
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uint8_t>();
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, source.data(), width, width, height,
                            cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DToArray(array, 10, 3, source.data(), 20, 20, 2, cudaMemcpyHostToDevice));
  CHECK(
      cudaMemcpy2DFromArray(got.data(), width, array, 0, 0, width, height, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < width * height; ++i) {
    const size_t x = i % width, y = i / width;
    const uint8_t e =
        x >= 10 && x < 30 && y >= 3 && y < 5 ? source[(y - 3) * 20 + x - 10] : source[i];
    if (got[i] != e) fail("array (%zu, %zu) is %d, expected %d", x, y, got[i], e);
  }
  cudaChannelFormatDesc said;
  cudaExtent saidExtent;
  unsigned flags;
  CHECK(cudaArrayGetInfo(&said, &saidExtent, &flags, array));
  if (said.x != 8 || said.y || said.f != cudaChannelFormatKindUnsigned ||
      saidExtent.width != width || saidExtent.height != height)
    fail("what is said of the array");
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(v.ptr));
  CHECK(cudaFree(w.ptr));
  puts("PASS");
}
