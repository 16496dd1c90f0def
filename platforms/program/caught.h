// The message and kind of an exception that ended a piece of work.
#pragma once

#include <string>
#include <vector>

#include <fermata/platforms/program/diagnostics.h>

namespace fermata::platforms {

struct Caught {
  bool badInput = false;  ///< true: a BadInput; false: any other failure
  std::string what;
  /// The error as tools read it: the compiler's messages first, if it has some. Filled by
  /// diagnose().
  std::vector<Diagnostic> diagnostics = {};
};

/// Base of an exception that has its diagnostics already, because another process made them.
struct Diagnosed {
  std::vector<Diagnostic> diagnostics;
};

/// Describes the exception that is being handled; call it in a catch (...). Only this function
/// knows which kinds of errors there are. It rethrows what is not an error.
Caught caught();
/// Returns caught() with its diagnostics.
Caught diagnose();

}  // namespace fermata::platforms
