// Options that commands which run workloads share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <fermata/platforms/program/run_workloads.h>

namespace fermata::platforms {

/// --platform (default gtx480), --param and --set.
void addRunOptions(CLI::App& command, RunRequest& request, std::vector<std::string>& parameters);

}  // namespace fermata::platforms
