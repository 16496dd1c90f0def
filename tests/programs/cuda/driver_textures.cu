// Arrays, textures and surfaces made by the driver interface, read by kernels of the runtime.
#include <cuda.h>

#include "check.h"

#define DRIVER(call) GIVES(call, CUDA_SUCCESS)

__global__ void readAll(CUtexObject texture, float* to, int width) {
  to[threadIdx.y * width + threadIdx.x] =
      tex2D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void readInteger(CUtexObject texture, int* to) {
  to[threadIdx.x] = tex1Dfetch<unsigned char>(texture, threadIdx.x);
}
__global__ void fill(CUsurfObject surface) {
  surf2Dwrite(float(10 * threadIdx.y + threadIdx.x), surface, threadIdx.x * 4, threadIdx.y);
}

int main() {
  const int width = 5, height = 3;
  CHECK(cudaFree(nullptr));
  CUarray array = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR made = {
      width, height, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  DRIVER(cuArray3DCreate(&array, &made));
  CUDA_ARRAY_DESCRIPTOR known = {};
  DRIVER(cuArrayGetDescriptor(&known, array));
  EXPECT(known.Width == width && known.Height == height && known.NumChannels == 1 &&
         known.Format == CU_AD_FORMAT_FLOAT);
  std::vector<float> values;
  for (int i = 0; i < width * height; ++i) values.push_back(i * 0.5f);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.srcPitch = copy.WidthInBytes = width * sizeof(float);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.Height = height;
  DRIVER(cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  for (auto& mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture = 0;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  float* const to = newOnDevice<float>(values.size());
  readAll<<<1, dim3(width, height)>>>(texture, to, width);
  expectSame("texture", toHost(to, values.size()), values);
  DRIVER(cuTexObjectDestroy(texture));

  CUsurfObject surface = 0;
  DRIVER(cuSurfObjectCreate(&surface, &resource));
  fill<<<1, dim3(width, height)>>>(surface);
  std::vector<float> got(values.size());
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = got.data();
  copy.dstPitch = copy.WidthInBytes = width * sizeof(float);
  copy.Height = height;
  DRIVER(cuMemcpy2DAsync(&copy, nullptr));
  DRIVER(cuStreamSynchronize(nullptr));
  for (int i = 0; i < width * height; ++i) values[i] = 10 * (i / width) + i % width;
  expectSame("surface", got, values);
  DRIVER(cuSurfObjectDestroy(surface));
  DRIVER(cuMemcpyAtoH(got.data(), array, 4, 8));
  EXPECT(got[0] == 1 && got[1] == 2);
  DRIVER(cuArrayDestroy(array));

  // Bytes of linear memory, as integers.
  unsigned char* const bytes = toDevice(std::vector<unsigned char>{7, 200, 0, 9});
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = CUdeviceptr(bytes);
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4;
  how.flags = CU_TRSF_READ_AS_INTEGER;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  int* const integers = newOnDevice<int>(4);
  readInteger<<<1, 4>>>(texture, integers);
  expectSame("integers", toHost(integers, 4), {7, 200, 0, 9});
  DRIVER(cuTexObjectDestroy(texture));

  made.NumChannels = 3;
  GIVES(cuArray3DCreate(&array, &made), CUDA_ERROR_INVALID_VALUE);
  std::puts("PASS");
}
