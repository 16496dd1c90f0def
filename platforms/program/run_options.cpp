#include <fermata/platforms/program/run_options.h>

namespace fermata::platforms {

void addRunOptions(CLI::App& command, RunRequest& request, std::vector<std::string>& parameters) {
  request.platform = "gtx480";
  command
      .add_option("--platform", request.platform,
                  "Selects the platform: a name (fermata platforms) or the path of a platform file")
      ->capture_default_str();
  command
      .add_option("--param", parameters,
                  "Sets a parameter of every workload: name=value. Repeatable.")
      ->allow_extra_args(false);
  command.add_option("--set", request.sets, "Sets a platform parameter: path=value. Repeatable.")
      ->allow_extra_args(false);
}

}  // namespace fermata::platforms
