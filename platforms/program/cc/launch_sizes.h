// Sizes by __cluster_dims__ and __block_size__, which clang-16 does not know. Our headers make
// annotations of them, which the compiler's own code keeps and its PTX does not.
#pragma once

#include <map>
#include <string>

namespace fermata::platforms {

/// Directives of PTX, each on a line of its own, by the kernel's name.
using LaunchSizes = std::map<std::string, std::string>;

/// Returns the directives for a module of LLVM's text, in which the annotation is one of
///
///     @.str = .. c"fermata_cluster_dims\00" ..
///     @.args = .. { i32, i32 } { i32 2, i32 1 } ..
///     @llvm.global.annotations = .. { ptr @_Z1kPi, ptr @.str, ptr @.str.1, i32 4, ptr @.args } ..
///
/// Throws InputError for a __block_size__ with a second tuple.
LaunchSizes launchSizesIn(const std::string& llvm);

/// Returns the PTX with the directives behind the parameters of these kernels.
std::string withLaunchSizes(const std::string& ptx, const LaunchSizes& sizes);

}  // namespace fermata::platforms
