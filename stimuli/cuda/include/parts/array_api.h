// The runtime interface: arrays, textures and surfaces.
#pragma once

#include "../driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* desc, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                            size_t width, size_t height FERMATA_DEFAULT(0),
                            unsigned int flags FERMATA_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                              struct cudaExtent extent, unsigned int flags FERMATA_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const struct cudaChannelFormatDesc* desc,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags FERMATA_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int number);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* desc, struct cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array);

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t count, enum cudaMemcpyKind kind,
                                   cudaStream_t stream FERMATA_DEFAULT(0));
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream FERMATA_DEFAULT(0));
cudaError_t cudaMemcpyArrayToArray(
    cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX, size_t fromY,
    size_t count, enum cudaMemcpyKind kind FERMATA_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind,
                                     cudaStream_t stream FERMATA_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream FERMATA_DEFAULT(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     enum cudaMemcpyKind kind
                                         FERMATA_DEFAULT(cudaMemcpyDeviceToDevice));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                    const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* texture,
                                    const struct cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* texture,
                                            cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                    const struct cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object);

// Texture references: `texture` is the address of a texture<> of the program.
cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* texture,
                            const void* pointer, const struct cudaChannelFormatDesc* desc,
                            size_t size FERMATA_DEFAULT(UINT_MAX));
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* texture,
                              const void* pointer, const struct cudaChannelFormatDesc* desc,
                              size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference* texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* desc);
cudaError_t cudaUnbindTexture(const struct textureReference* texture);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* texture);
cudaError_t cudaGetTextureReference(const struct textureReference** texture, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* surface, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference** surface, const void* symbol);

#ifdef __cplusplus
}
#endif
