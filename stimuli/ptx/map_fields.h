// Fields of a tensor map that tensormap.replace changes.
#pragma once

#include <cstdint>
#include <string_view>

#include <fermata/stimuli/ptx/tensor_map.h>

namespace fermata::ptx {

/// Fields of a map that a kernel can replace, in the order of kMapFields.
enum class MapField : std::uint8_t {
  Address,
  Rank,
  Box,
  Dim,
  Stride,
  Step,
  Element,
  Interleave,
  Swizzle,
  Fill,
  Atom
};
inline constexpr std::string_view kMapFields[] = {
    "global_address", "rank",           "box_dim",          "global_dim",
    "global_stride",  "element_stride", "elemtype",         "interleave_layout",
    "swizzle_mode",   "fill_mode",      "swizzle_atomicity"};

/// Replaces a field. `k`: dimension. Returns false if the value is out of range.
bool replaceField(TensorMap& map, MapField field, unsigned k, std::uint64_t value);

}  // namespace fermata::ptx
