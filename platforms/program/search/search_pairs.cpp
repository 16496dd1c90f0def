#include <fermata/platforms/program/search/search_pairs.h>

#include <algorithm>
#include <array>

#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using search::MappingClass;
using search::Method;

constexpr std::array kClasses{MappingClass::Perm,    MappingClass::Xor,     MappingClass::Bits,
                              MappingClass::Pairs,   MappingClass::Matrix,  MappingClass::Ami,
                              MappingClass::Padding, MappingClass::Swizzle, MappingClass::Tma};
constexpr std::array kOfKernels{MappingClass::Swizzle, MappingClass::Tma, MappingClass::Padding};
constexpr std::array kOfLayouts{MappingClass::Swizzle, MappingClass::Tma, MappingClass::Padding,
                                MappingClass::Matrix, MappingClass::Ami};
constexpr std::array kMethods{Method::Exhaustive, Method::Pruned, Method::Givargis,
                              Method::MinimumImbalance, Method::General};

template <class Values>
std::string names(const Values& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::string(name(value));
  return text;
}

std::vector<std::string> splitLists(const std::vector<std::string>& texts) {
  std::vector<std::string> pieces;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      pieces.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return pieces;
}

template <class Values>
auto valueOf(const std::string& text, const Values& values, const char* what, const char* more) {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](auto value) { return text == name(value); });
  if (found == values.end())
    refuse("unknown {} '{}'; expected {}{}", what, text, names(values), more);
  return *found;
}

std::vector<Method> methodsOf(MappingClass mappingClass) {
  std::vector<Method> methods;
  for (const Method method : kMethods) {
    if (search::applies(mappingClass, method)) methods.push_back(method);
  }
  return methods;
}

template <class Values, class Value>
bool contains(const Values& values, Value value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

std::vector<SearchPair> chooseSearches(const std::vector<std::string>& classes,
                                       const std::vector<std::string>& methods,
                                       UsualClasses usual) {
  std::vector<MappingClass> asked;
  const bool machine = classes.empty() && usual == UsualClasses::Machine;
  bool all = machine;
  if (classes.empty() && usual == UsualClasses::Kernel)
    asked.assign(kOfKernels.begin(), kOfKernels.end());
  if (classes.empty() && usual == UsualClasses::Layout)
    asked.assign(kOfLayouts.begin(), kOfLayouts.end());
  if (classes.empty() && usual == UsualClasses::Factor)
    asked = {MappingClass::Tma, MappingClass::Matrix, MappingClass::Ami};
  for (const std::string& text : splitLists(classes)) {
    if (text == "all") {
      all = true;
    } else {
      asked.push_back(valueOf(text, kClasses, "class", " or all"));
    }
  }
  std::vector<Method> wanted;
  for (const std::string& text : splitLists(methods)) {
    wanted.push_back(valueOf(text, kMethods, "method", ""));
  }

  std::vector<SearchPair> pairs;
  for (const MappingClass one : kClasses) {
    const bool typed = contains(asked, one);
    const bool ofAll = one != MappingClass::Tma && (one != MappingClass::Swizzle || machine);
    if (!typed && !(all && ofAll)) continue;
    const std::size_t before = pairs.size();
    for (const Method method : methodsOf(one)) {
      if (wanted.empty() || contains(wanted, method)) pairs.push_back({one, method});
    }
    if (typed && pairs.size() == before)
      refuse("class {} is not searched by method {}; expected {}", name(one), names(wanted),
             names(methodsOf(one)));
  }
  for (const Method method : wanted) {
    if (std::any_of(pairs.begin(), pairs.end(), [&](auto p) { return p.method == method; })) {
      continue;
    }
    std::vector<MappingClass> could;
    for (const MappingClass one : kClasses) {
      if (search::applies(one, method)) could.push_back(one);
    }
    refuse("method {} searches none of these classes: {}; expected {}", name(method), names(asked),
           names(could));
  }
  return pairs;
}

}  // namespace fermata::platforms
