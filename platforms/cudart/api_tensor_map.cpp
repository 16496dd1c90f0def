// Tensor maps of the driver interface.
#include <fermata/platforms/cudart/driver.h>
#include <fermata/stimuli/ptx/tensor_map.h>

#include <algorithm>
#include <cstring>

using namespace fermata::cudart;
using fermata::ptx::TensorMap;

namespace {

static_assert(sizeof(CUtensorMap) == sizeof(TensorMap::Bytes));

/// Checks the device and the arguments that a map of either mode has, and begins the map.
TensorMap mapOf(const CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                const cuuint64_t* dims, const cuuint64_t* strides,
                const cuuint32_t* elementStrides) {
  const double capability = soundSession().launcher.platform().capability;
  require(
      capability >= 9, cudaErrorNotSupported,
      "tensor maps need compute capability 9.0; expected a platform that has it, such as sm_90");
  requireValue(to != nullptr && dims != nullptr && elementStrides != nullptr &&
                   (strides != nullptr || rank <= 1),
               "no place for the map, or an array that is missing");
  requireValue(reinterpret_cast<std::uintptr_t>(to) % 64 == 0,
               "a map that is not aligned to 64 bytes");
  requireValue(rank >= 1 && rank <= TensorMap::kMostRank, "a rank that is not 1 to 5");
  requireValue(type < CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B || capability >= 10,
               "a packed type of 4 or 6 bits, which needs compute capability 10.0");
  TensorMap map;
  map.type = static_cast<fermata::ptx::TensorType>(type);
  map.rank = rank;
  map.address = reinterpret_cast<std::uint64_t>(address);
  std::copy_n(dims, rank, map.dims.begin());
  if (rank > 1) std::copy_n(strides, rank - 1, map.strides.begin());
  std::copy_n(elementStrides, rank, map.steps.begin());
  return map;
}

void complete(TensorMap& map, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
              CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  map.interleave = static_cast<fermata::ptx::TensorInterleave>(interleave);
  map.swizzle = static_cast<fermata::ptx::TensorSwizzle>(swizzle);
  map.promotion = static_cast<fermata::ptx::TensorPromotion>(promotion);
  map.fillsNan = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  requireValue(fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || map.fillsNan, "an unknown fill");
  requireValue(map.swizzle <= fermata::ptx::TensorSwizzle::Span128 ||
                   soundSession().launcher.platform().capability >= 10,
               "a swizzle with atoms other than 16 bytes, which needs compute capability 10.0");
}

/// Writes the map, if nothing is wrong with it.
void put(const TensorMap& map, CUtensorMap* to) {
  const std::string refusal = map.refusal();
  if (!refusal.empty()) fail(cudaErrorInvalidValue, "a tensor map with {}", refusal);
  const TensorMap::Bytes bytes = map.encode();
  std::memcpy(to, bytes.data(), bytes.size());
}

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* dims, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* elementStrides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return driver("cuTensorMapEncodeTiled", [&] {
    TensorMap map = mapOf(to, type, rank, address, dims, strides, elementStrides);
    requireValue(box != nullptr, "no box");
    std::copy_n(box, rank, map.box.begin());
    complete(map, interleave, swizzle, promotion, fill);
    put(map, to);
  });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank,
                                 void* address, const cuuint64_t* dims, const cuuint64_t* strides,
                                 const int* lower, const int* upper, cuuint32_t channels,
                                 cuuint32_t pixels, const cuuint32_t* elementStrides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return driver("cuTensorMapEncodeIm2col", [&] {
    TensorMap map = mapOf(to, type, rank, address, dims, strides, elementStrides);
    requireValue(rank >= 3, "a rank that is not 3 to 5");
    requireValue(lower != nullptr && upper != nullptr, "no corners");
    fermata::ptx::TensorPixels taken;
    for (unsigned k = 0; k < rank - 2; ++k) {
      requireValue(
          lower[k] >= -32768 && lower[k] <= 32767 && upper[k] >= -32768 && upper[k] <= 32767,
          "a corner that is not -32768 to 32767");
      taken.lower[k] = static_cast<std::int16_t>(lower[k]);
      taken.upper[k] = static_cast<std::int16_t>(upper[k]);
    }
    taken.channels = channels;
    taken.pixels = pixels;
    map.im2col = taken;
    complete(map, interleave, swizzle, promotion, fill);
    put(map, to);
  });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return driver("cuTensorMapReplaceAddress", [&] {
    requireValue(map != nullptr, "no map");
    TensorMap::Bytes bytes;
    std::memcpy(bytes.data(), map, bytes.size());
    auto known = TensorMap::decode(bytes);
    requireValue(known.has_value(), "no tensor map; expected one of cuTensorMapEncodeTiled");
    known->address = reinterpret_cast<std::uint64_t>(address);
    put(*known, map);
  });
}

}  // extern "C"
