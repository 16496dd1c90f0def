#include <fermata/platforms/program/shell/command_words.h>

namespace fermata::platforms {

namespace {

std::vector<const CLI::Option*> listed(const CLI::App& command, bool positional) {
  return command.get_options([positional](const CLI::Option* option) {
    return option->get_positional() == positional && !option->get_group().empty();
  });
}

}  // namespace

std::string placeholderOf(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string type = option.get_type_name();  // the type; behind a colon, what is checked
  const std::size_t colon = type.find(':');
  return colon == std::string::npos ? type : type.substr(colon + 1);
}

std::vector<std::string> namesOf(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true, false)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& command) {
  return listed(command, false);
}

std::vector<const CLI::Option*> positionalsOf(const CLI::App& command) {
  return listed(command, true);
}

}  // namespace fermata::platforms
