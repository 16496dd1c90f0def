#include <fermata/platforms/program/cc/source_functions.h>

#include <optional>
#include <set>
#include <string_view>

#include <fermata/platforms/program/cc/source_words.h>

namespace fermata::platforms {

namespace {

const std::set<std::string_view> kOfOne = {
    "acosf",  "acoshf", "asinf",   "asinhf", "atanf",  "atanhf", "cbrtf", "ceilf",
    "cosf",   "coshf",  "erfcf",   "erff",   "exp10f", "exp2f",  "expf",  "expm1f",
    "fabsf",  "floorf", "lgammaf", "log10f", "log1pf", "log2f",  "logf",  "rintf",
    "roundf", "rsqrtf", "sinf",    "sinhf",  "sqrtf",  "tanf",   "tanhf", "truncf"};
const std::set<std::string_view> kOfTwo = {"atan2f", "copysignf", "fdimf",  "fmaxf",
                                           "fminf",  "fmodf",     "hypotf", "powf"};

/// Returns the type of a pointer to the function; empty: it is none of them.
std::string_view typeOf(std::string_view name) {
  if (kOfOne.count(name) != 0) return "float (*)(float)";
  return kOfTwo.count(name) != 0 ? "float (*)(float, float)" : std::string_view();
}

/// Returns the names of the function templates: names before a parenthesis between `template` and
/// the body.
std::set<std::string_view> templatesIn(const SourceWords& words) {
  std::set<std::string_view> names;
  bool inside = false;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words.at(k) == "template") inside = true;
    if (words.at(k) == "{" || words.at(k) == ";") inside = false;
    if (inside && words.isName(k) && words.at(k + 1) == "(") names.insert(words.at(k));
  }
  return names;
}

/// Returns the name before word `open`, or before the template arguments there.
std::string_view nameBefore(const SourceWords& words, std::size_t open) {
  if (open == 0) return {};
  if (words.at(open - 1) != ">") return words.at(open - 1);
  while (open > 1 && words.at(open - 1) != "<") --open;
  return open > 1 ? words.at(open - 2) : std::string_view();
}

/// Returns the name before the parenthesis that is open at word `k`; empty: none.
std::string_view calleeAt(const SourceWords& words, std::size_t k) {
  unsigned depth = 0;
  while (k-- > 0) {
    const std::string_view word = words.at(k);
    if (word == ";" || word == "{" || word == "}") return {};
    if (word == ")") ++depth;
    if (word == "(" && depth-- == 0) return nameBefore(words, k);
  }
  return {};
}

}  // namespace

std::string withFunctionTypes(const std::string& source) {
  const SourceWords words(source);
  std::optional<std::set<std::string_view>> templates;  // looked for when they are needed
  std::string made;
  std::size_t copied = 0;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string_view type = typeOf(words.at(k));
    if (type.empty()) continue;
    const std::string_view before = words.at(k - 1), behind = words.at(k + 1);
    if ((before != "(" && before != ",") || (behind != "," && behind != ")")) continue;
    if (!templates) templates = templatesIn(words);
    if (templates->count(calleeAt(words, k)) == 0) continue;
    made += source.substr(copied, words.beginOf(k) - copied);
    made += "static_cast<" + std::string(type) + ">(" + std::string(words.at(k)) + ")";
    copied = words.endOf(k);
  }
  return copied == 0 ? source : made + source.substr(copied);
}

}  // namespace fermata::platforms
