#include <fermata/platforms/program/code_platform.h>

#include <fermata/platforms/program/measurement.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/newer_architectures.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fermata::platforms {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kUnasked = 70;

fs::path foundProgram(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::is_regular_file(fs::path(folder) / command, error)) return fs::path(folder) / command;
  }
  return {};
}

}  // namespace

void CodePlatform::add(std::string_view text) {
  constexpr std::string_view kDirective = "\n.target sm_";
  for (std::size_t at = 0; (at = text.find(kDirective, at)) != std::string_view::npos;) {
    at += kDirective.size();
    unsigned number = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && number < 1000; ++at)
      number = 10 * number + static_cast<unsigned>(text[at] - '0');
    newest_ = std::max(newest_, number);
  }
}

void CodePlatform::addProgram(const std::string& command) {
  const fs::path path = foundProgram(command);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  std::ifstream file(path, std::ios::binary);
  add(std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

std::string CodePlatform::name() const {
  const std::string name = launch::platformOfArchitecture("sm_" + std::to_string(newest_));
  const fs::path file = fs::path(launch::dataDirectory()) / "platforms" / (name + ".toml");
  std::error_code error;
  if (newest_ > kUnasked && fs::is_regular_file(file, error)) return name;
  return Measurement().platform;
}

}  // namespace fermata::platforms
