#include <fermata/platforms/program/run_options.h>

namespace fermata::platforms {

void addRunOptions(CLI::App& command, RunRequest& request, std::vector<std::string>& parameters) {
  request.platform = "gtx480";
  command
      .add_option("--platform", request.platform,
                  "Name (fermata platforms) or path of a platform file")
      ->capture_default_str();
  command.add_option("--param", parameters, "Workload parameter: name=value, repeatable")
      ->allow_extra_args(false);
  command.add_option("--set", request.sets, "Platform parameter: path=value, repeatable")
      ->allow_extra_args(false);
}

}  // namespace fermata::platforms
