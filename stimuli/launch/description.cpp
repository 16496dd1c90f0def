#include <fermata/stimuli/launch/description.h>

#include <algorithm>
#include <array>

#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

struct TypeFacts {
  std::string_view name;
  unsigned bytes;
  std::int64_t least = 0, greatest = INT64_MAX;
};
constexpr std::array<TypeFacts, 11> kTypes = {{
    {"u8", 1, 0, UINT8_MAX},
    {"s8", 1, INT8_MIN, INT8_MAX},
    {"u16", 2, 0, UINT16_MAX},
    {"s16", 2, INT16_MIN, INT16_MAX},
    {"u32", 4, 0, UINT32_MAX},
    {"s32", 4, INT32_MIN, INT32_MAX},
    {"u64", 8},
    {"s64", 8, INT64_MIN},
    {"f16", 2},
    {"f32", 4},
    {"f64", 8},
}};

const TypeFacts& factsOf(ElementType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view elementTypeName(ElementType type) {
  return factsOf(type).name;
}

std::optional<ElementType> elementTypeFrom(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

unsigned elementBytes(ElementType type) {
  return factsOf(type).bytes;
}

std::int64_t leastOf(ElementType type) {
  return factsOf(type).least;
}

std::int64_t greatestOf(ElementType type) {
  return factsOf(type).greatest;
}

bool isFloat(ElementType type) {
  return type >= ElementType::F16;
}

double Number::real(const Scope& scope) const {
  if (isReal()) return std::get<double>(value);
  return static_cast<double>(std::get<Expression>(value).evaluate(scope));
}

std::int64_t Number::integer(const Scope& scope) const {
  if (isReal()) refuse(where, "a number with a fraction; expected an integer");
  return std::get<Expression>(value).evaluate(scope);
}

bool Parameter::accepts(std::int64_t value) const {
  if (value < from || value > to) return false;
  return allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

bool Parameter::acceptsWord(const std::string& word) const {
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  return isFile && !word.empty();
}

std::string Parameter::defaultText() const {
  return isWord ? defaultWord : std::to_string(defaultValue);
}

std::string Parameter::allowedText() const {
  std::vector<std::string> choices = words;
  for (const std::int64_t value : allowed) choices.push_back(std::to_string(value));
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i != 0) text += i + 1 == choices.size() && !isFile ? " or " : ", ";
    text += choices[i];
  }
  if (isFile) return text.empty() ? "a file" : text + ", or a file";
  if (!text.empty()) return text;
  const std::string unit = multiple == 1 ? "" : ", a multiple of " + std::to_string(multiple);
  const bool hasFrom = from != INT64_MIN;
  const bool hasTo = to != INT64_MAX;
  if (hasFrom && hasTo) return std::to_string(from) + " to " + std::to_string(to) + unit;
  if (hasFrom) return "at least " + std::to_string(from) + unit;
  return (hasTo ? "at most " + std::to_string(to) : "an integer") + unit;
}

}  // namespace fermata::launch
