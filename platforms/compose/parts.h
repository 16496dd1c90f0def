// Which parameters are those of a part that the platform has: one of another part says nothing.
#pragma once

#include <optional>
#include <string>

#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

/// Why the platform does not have the part of a parameter.
struct MissingPart {
  const char* by;        ///< path of the parameter that leaves it out
  std::string why;       ///< "global.memory is flat"
  std::string expected;  ///< what would bring it: "global.memory = \"caches\""
};

/// Nothing: the platform has the part of the parameter of that path.
std::optional<MissingPart> missingPart(const PlatformParameters& parameters,
                                       const std::string& path);

/// By this value of the parameter, its default, a platform says that it has no such thing: it is
/// not printed.
bool saysNone(const std::string& path, const std::string& value);

}  // namespace fermata::platforms
