// A launch of one kernel by the words of a command line, in the place of a launch file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

/// Options as a user gave them. README.md documents their syntax.
struct CommandLaunch {
  std::string entry;                   ///< --entry
  std::string grid;                    ///< --grid: "4,4"
  std::string block;                   ///< --block: "32,8"
  std::string shared;                  ///< --shared: bytes
  std::string arch;                    ///< --arch
  std::vector<std::string> arguments;  ///< --arg NAME=VALUE, in the kernel's order
  std::vector<std::string> includes;   ///< --include: folders
  std::vector<std::string> defines;    ///< --define: NAME or NAME=value
  std::vector<std::string> buffers;    ///< --buffer NAME=FILE.npy
  std::vector<std::string> dumps;      ///< --dump NAME=FILE

  /// Returns whether an option is given that only a launch without a file has.
  bool describesLaunch() const;
  bool empty() const { return !describesLaunch() && buffers.empty() && dumps.empty(); }
};

/// Returns true if the text is the path of a kernel file: it ends in .cu or .ptx.
bool isKernelPath(const std::string& path);

/// Describes the launch of a kernel file (.cu or .ptx). Reads the headers of arrays. Throws
/// InputError that names the option.
LaunchDescription describeLaunch(const std::string& kernel, const CommandLaunch& launch);

/// Fills buffers of a launch file from arrays and dumps them, by --buffer and --dump. Throws
/// InputError for a buffer that is not there, or an option that describes a launch.
void changeBuffers(LaunchDescription& description, const CommandLaunch& launch);

}  // namespace fermata::launch
