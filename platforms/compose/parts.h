// Decides which parameters belong to a part that the platform has; others have no effect.
#pragma once

#include <optional>
#include <string>

namespace fermata::platforms {

struct PlatformParameters;

/// Reason why the platform lacks the part of a parameter.
struct MissingPart {
  const char* by;        ///< path of the parameter that leaves the part out
  std::string why;       ///< "global.memory is flat"
  std::string expected;  ///< what would bring the part: "global.memory = \"caches\""
};

/// Returns nothing if the platform has the part that the parameter of that path belongs to.
std::optional<MissingPart> missingPart(const PlatformParameters& parameters,
                                       const std::string& path);

/// True if this value, the default of the parameter, says that the platform has no such thing. It
/// is then not printed.
bool saysNone(const std::string& path, const std::string& value);

}  // namespace fermata::platforms
