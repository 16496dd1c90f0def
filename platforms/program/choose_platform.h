// The platform of a command whose user names none by --platform.
#pragma once

#include <string>
#include <vector>

#include <fermata/platforms/program/measurement.h>

namespace fermata::platforms {

/// Returns the platform of the architecture that the launch files state (`arch`, or what their PTX
/// is compiled for). `parameters` are "name=value" texts, `launch` is that of a kernel file. Throws
/// InputError if none states one, two differ, or no platform has that name.
std::string platformOfWorkloads(const std::vector<std::string>& workloads,
                                const std::vector<std::string>& parameters,
                                const launch::CommandLaunch& launch = {});

/// Sets the platform if the command line has no --platform: to the first word where that is no
/// workload (`run gtx480 transpose`, the order of old), otherwise to that of the workloads. Throws
/// InputError if there is none, or no workload.
void choosePlatform(Measurement& measurement);

}  // namespace fermata::platforms
