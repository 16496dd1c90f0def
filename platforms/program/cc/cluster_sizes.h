// Sizes of clusters by __cluster_dims__, which clang-16 does not know. Our headers make an
// annotation of it, which the compiler's own code keeps and its PTX does not.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fermata::platforms {

/// One to three sizes, by the kernel's name.
using ClusterSizes = std::map<std::string, std::vector<std::string>>;

/// Returns the sizes in a module of LLVM's text, in which the annotation is one of
///
///     @.str = .. c"fermata_cluster_dims\00" ..
///     @.args = .. { i32, i32 } { i32 2, i32 1 } ..
///     @llvm.global.annotations = .. { ptr @_Z1kPi, ptr @.str, ptr @.str.1, i32 4, ptr @.args } ..
ClusterSizes clusterSizesIn(const std::string& llvm);

/// Returns the PTX with .reqnctapercluster and .explicitcluster behind the parameters of these
/// kernels.
std::string withClusterSizes(const std::string& ptx, const ClusterSizes& sizes);

}  // namespace fermata::platforms
