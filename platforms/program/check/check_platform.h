// The platform of a check whose user names none.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the platform of the architecture that the launch files state (`arch`, or what their PTX
/// is compiled for). `parameters` are "name=value" texts. Throws InputError if none states one, two
/// differ, or no platform has that name.
std::string platformOfWorkloads(const std::vector<std::string>& workloads,
                                const std::vector<std::string>& parameters);

}  // namespace fermata::platforms
