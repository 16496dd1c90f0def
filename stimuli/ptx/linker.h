// Links relocatable PTX: the texts of several translation units become one module.
//
//     a.cu   .extern .func scale;   .visible .entry run     one text, in which `run` calls
//     b.cu   .visible .func scale;  .func half              `scale`; `half` stays b.cu's own
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::ptx {

/// The PTX of a translation unit.
struct LinkUnit {
  std::string text;
  std::string name;  ///< of the object, for messages
  /// Functions that no unit defines may stay undefined: a part of a library that the program may
  /// not use.
  bool ofLibrary = false;
};

struct LinkedModule {
  std::string text;
  /// By unit: its own symbols whose names in the text are others. Keys are baseName()s.
  std::vector<std::map<std::string, std::string>> renamed;
};

/// Links the units, in their order. A strong definition replaces weak ones, the first weak one the
/// later ones. Throws InputError that names the symbols that no unit defines, or a symbol that two
/// define.
LinkedModule link(const std::vector<LinkUnit>& units);

/// Returns the name without what clang appends to static symbols: "x" for
/// "x__static__0123456789abcdef".
std::string_view baseName(std::string_view name);

}  // namespace fermata::ptx
