// Which file the kernels are in, and how a .cu is compiled: keys at the top of a launch file.
#pragma once

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/expression_table.h>

namespace fermata::launch {

/// Throws InputError.
KernelFile readKernelFile(ExpressionTable& root);

}  // namespace fermata::launch
