// Copies to the scratchpad by the threads of a group: cp.async from sm_80 on; plain copies before
// that, and for any copy that is not from global to shared memory.
#pragma once

#include "../cuda_pipeline.h"

namespace fermata_copies {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

/// Copies the bytes from `begin` on without cp.async.
FERMATA_DEVICE void copyBytes(size_t rank, size_t threads, char* to, const char* from, size_t begin,
                              size_t end) {
  for (size_t i = begin + rank; i < end; i += threads) to[i] = from[i];
}
/// Copies whole pieces of kBytes from `begin` on by cp.async, the threads taking turns; copies the
/// rest plainly.
template <unsigned kBytes>
FERMATA_DEVICE void copyPieces(size_t rank, size_t threads, char* to, const char* from,
                               size_t begin, size_t end) {
  const size_t behind = begin + (end - begin) / kBytes * kBytes;
  for (size_t i = begin + rank * kBytes; i < behind; i += threads * kBytes)
    __pipeline_memcpy_async(to + i, from + i, kBytes);
  copyBytes(rank, threads, to, from, behind, end);
}

/// Copies `count` bytes. `kAligned` is a known alignment of both addresses; below 4 the addresses
/// are tested. Returns false if the copy is already complete.
template <size_t kAligned>
FERMATA_DEVICE bool copy(size_t rank, size_t threads, void* shared, const void* global,
                         size_t count) {
  char* const to = static_cast<char*>(shared);
  const char* const from = static_cast<const char*>(global);
  if (!__nvvm_isspacep_shared(shared) || !__nvvm_isspacep_global(global)) {
    copyBytes(rank, threads, to, from, 0, count);
    return false;
  }
  const size_t ends = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | count;
  if (kAligned >= 16 || (kAligned < 4 && ends % 16 == 0)) {
    copyPieces<16>(rank, threads, to, from, 0, count);
  } else if (kAligned == 8 || (kAligned < 4 && ends % 8 == 0)) {
    copyPieces<8>(rank, threads, to, from, 0, count);
  } else if (kAligned == 4 || ends % 4 == 0) {
    copyPieces<4>(rank, threads, to, from, 0, count);
  } else if ((reinterpret_cast<size_t>(to) - reinterpret_cast<size_t>(from)) % 4 == 0) {
    const size_t left = (0 - reinterpret_cast<size_t>(to)) % 4,
                 before = left < count ? left : count;
    copyBytes(rank, threads, to, from, 0, before);
    copyPieces<4>(rank, threads, to, from, before, count);
  } else {
    copyBytes(rank, threads, to, from, 0, count);
    return false;
  }
  return true;
}

#else

template <class Unit>
FERMATA_DEVICE void copyUnits(size_t rank, size_t threads, void* to, const void* from,
                              size_t count) {
  for (size_t i = rank; i < count / sizeof(Unit); i += threads)
    static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
}
template <size_t kAligned>
FERMATA_DEVICE bool copy(size_t rank, size_t threads, void* to, const void* from, size_t count) {
  const size_t ends = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from);
  if (kAligned >= 16 && count % 16 == 0) {
    copyUnits<uint4>(rank, threads, to, from, count);
  } else if (kAligned >= 8 && count % 8 == 0) {
    copyUnits<uint2>(rank, threads, to, from, count);
  } else if ((ends | count) % 4 == 0) {
    copyUnits<unsigned>(rank, threads, to, from, count);
  } else {
    copyUnits<char>(rank, threads, to, from, count);
  }
  return false;
}

#endif

}  // namespace fermata_copies
