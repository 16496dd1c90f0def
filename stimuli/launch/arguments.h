// Makes the parameter block of a launch: planned arguments in the layout of the declared
// parameters of the kernel.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/launch/plan.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::launch {

/// Returns the parameter block. `addresses[i]` is the device address of buffer i. Throws InputError
/// at the argument that does not fit: too many or too few arguments, another size, a float for an
/// integer.
std::vector<std::uint8_t> layOutArguments(const PlannedLaunch& launch, const ptx::Module& module,
                                          const ptx::Kernel& kernel,
                                          const std::vector<std::uint64_t>& addresses);

}  // namespace fermata::launch
