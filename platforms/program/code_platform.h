// The platform of a CUDA program whose user names none.
#pragma once

#include <string>
#include <string_view>

namespace fermata::platforms {

/// Finds the newest architecture among texts that hold PTX, and the platform named after it.
class CodePlatform {
 public:
  /// Adds PTX, or the bytes of a file with PTX in it.
  void add(std::string_view text);
  /// Adds the bytes of a program, found as the shell finds it. Adds nothing if there is none.
  void addProgram(const std::string& command);
  /// Returns "sm_80" for code of `-arch=sm_80`; gtx480 for code of sm_70, which `fermata cc` makes
  /// if nothing is asked for, and where no platform has the name.
  std::string name() const;

 private:
  unsigned newest_ = 0;  ///< 80 for sm_80; 0: no text has PTX
};

}  // namespace fermata::platforms
