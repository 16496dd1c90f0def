#include <fermata/stimuli/launch/tensor_argument.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fermata/stimuli/launch/expression_table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

constexpr std::string_view kTensorTypes[] = {"u8",      "u16",  "u32",     "s32", "u64",
                                             "s64",     "f16",  "f32",     "f64", "bf16",
                                             "f32_ftz", "tf32", "tf32_ftz"};
constexpr std::string_view kSwizzles[] = {
    "none", "32B", "64B", "128B", "128B_atom_32B", "128B_atom_32B_flip_8B", "128B_atom_64B"};
constexpr std::string_view kInterleaves[] = {"none", "16B", "32B"};
constexpr std::string_view kFills[] = {"zero", "nan"};

/// Returns the place of a word of `key` among the choices.
template <std::size_t Count>
std::size_t choice(const SourceLocation& where, const std::string& key, const std::string& word,
                   const std::string_view (&choices)[Count]) {
  const auto* const found = std::find(std::begin(choices), std::end(choices), word);
  if (found != std::end(choices)) return static_cast<std::size_t>(found - choices);
  std::string list;
  for (const std::string_view one : choices) list += (list.empty() ? "" : ", ") + std::string(one);
  refuse(where, "unknown {} '{}'; expected one of {}", key, word, list);
}

/// Returns the place of the word of `key` among the choices; the first if the key is absent.
template <std::size_t Count>
std::size_t choice(ExpressionTable& table, const std::string& key,
                   const std::string_view (&choices)[Count]) {
  return table.has(key) ? choice(table.where(key), key, table.text(key), choices) : 0;
}

/// Checks that a list has an element for each dimension from `first` on.
void requireCount(ExpressionTable& table, const std::string& key,
                  const std::vector<Expression>& list, std::size_t wanted) {
  if (list.size() != wanted)
    refuse(table.where(key), "{} of {} elements; expected {}", key, list.size(), wanted);
}

template <class Values>
void evaluateAll(const std::vector<Expression>& list, const Scope& scope, const char* what,
                 Values& values) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    using Evaluated = typename Values::value_type;
    values[k] = static_cast<Evaluated>(list[k].evaluate(scope, 0, INT64_C(1) << 40, what));
  }
}

/// Sets the strides of a tensor without gaps.
void makeDense(ptx::TensorMap& map) {
  const bool sliced = map.interleave != ptx::TensorInterleave::None;
  std::uint64_t stride = sliced ? map.sliceBytes() : map.elementBytes() * map.dims[0];
  for (unsigned k = 0; k + 1 < map.rank; ++k) {
    if (sliced && k + 2 == map.rank)  // dimension rank - 1 lies outside of the slices
      stride *= (map.dims[0] + map.sliceElements() - 1) / map.sliceElements();
    map.strides[k] = stride;
    stride *= map.dims[k + 1];
  }
}

}  // namespace

TensorArgument readTensorArgument(ExpressionTable& table) {
  constexpr std::size_t kMost = ptx::TensorMap::kMostRank;
  TensorArgument argument;
  argument.where = table.where();
  argument.dims = table.expressions("dims", kMost);
  argument.box = table.expressions("box", kMost);
  const std::size_t rank = argument.dims.size();
  argument.map.rank = static_cast<unsigned>(rank);
  requireCount(table, "box", argument.box, rank);
  if (table.has("strides")) {
    argument.strides = table.expressions("strides", kMost);
    requireCount(table, "strides", argument.strides, rank - 1);
  }
  if (table.has("steps")) {
    argument.steps = table.expressions("steps", kMost);
    requireCount(table, "steps", argument.steps, rank);
  }
  argument.typed = table.has("type");
  argument.map.type = static_cast<ptx::TensorType>(choice(table, "type", kTensorTypes));
  if (table.has("swizzle")) argument.swizzle = table.pattern("swizzle");
  argument.map.interleave =
      static_cast<ptx::TensorInterleave>(choice(table, "interleave", kInterleaves));
  argument.map.fillsNan = choice(table, "fill", kFills) != 0;
  table.refuseOtherKeys();
  return argument;
}

ptx::TensorMap planTensor(const TensorArgument& argument, ptx::TensorType type,
                          const Scope& scope) {
  ptx::TensorMap map = argument.map;
  if (!argument.typed) map.type = type;
  if (argument.swizzle)
    map.swizzle = static_cast<ptx::TensorSwizzle>(
        choice(argument.swizzle->where, "swizzle", argument.swizzle->in(scope), kSwizzles));
  evaluateAll(argument.dims, scope, "dims", map.dims);
  evaluateAll(argument.box, scope, "box", map.box);
  evaluateAll(argument.steps, scope, "steps", map.steps);
  evaluateAll(argument.strides, scope, "strides", map.strides);
  if (argument.strides.empty()) makeDense(map);
  const std::string refusal = map.refusal();
  if (!refusal.empty()) refuse(argument.where, "a tensor map with {}", refusal);
  return map;
}

}  // namespace fermata::launch
