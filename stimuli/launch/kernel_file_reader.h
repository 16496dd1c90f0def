// Reads the keys at the top of a launch file: the file of the kernels, and how a .cu is compiled.
#pragma once

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/expression_table.h>

namespace fermata::launch {

/// Reads the keys `kernel`, `address_bits`, ... of the root table. Throws InputError.
KernelFile readKernelFile(ExpressionTable& root);

}  // namespace fermata::launch
