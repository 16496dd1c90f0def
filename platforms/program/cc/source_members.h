// Members that a source names without the keyword `template` or `typename`, as nvcc allows.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the source with the keyword before the names of member templates that it calls with
/// template arguments, and before types as template arguments; lines stay where they are. clang-16
/// needs it where the class depends on template parameters, and takes it anywhere:
///
///     cast<A, B>::run<4>(a);     cast<A, B>::template run<4>(a);
///     tile.load<N>(a);           tile.template load<N>(a);
///     f<decltype(a)::type>(b);   f<typename decltype(a)::type>(b);
///
/// A member of a decltype is a type if its name ends with `type`; one of a parameter or an alias
/// also if it ends with `_t`.
std::string withTemplateKeywords(const std::string& source);

}  // namespace fermata::platforms
