#include <fermata/stimuli/ptx/types.h>

#include <array>
#include <cstddef>

namespace fermata::ptx {
namespace {
constexpr std::array<std::string_view, 21> kNames = {
    "b8",  "b16", "b32", "b64", "u8",    "u16",  "u32",    "u64",   "s8",   "s16", "s32",
    "s64", "f16", "f32", "f64", "f16x2", "bf16", "bf16x2", "f32x2", "pred", "b128"};
}  // namespace

std::optional<Type> typeNamed(std::string_view name) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Type::B128); ++i) {
    if (kNames[i] == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

std::string_view nameOf(Type type) {
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace fermata::ptx
