// The clang-16 commands that make a program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fermata/platforms/program/cc/program_request.h>

namespace fermata::platforms {

using Command = std::vector<std::string>;

class CompileCommands {
 public:
  /// `headers`: the folder of our replacements for the toolkit's headers.
  CompileCommands(const ProgramRequest& request, std::filesystem::path headers)
      : request_(request), headers_(std::move(headers)) {}

  /// Compiles the device side of a .cu to PTX. `reading`: options of SourceOverlay.
  Command device(const std::string& source, const Command& reading,
                 const std::filesystem::path& ptx) const;
  /// Compiles the host side of a .cu to an object that holds the PTX.
  Command host(const std::string& source, const Command& reading, const std::filesystem::path& ptx,
               const std::filesystem::path& object) const;
  /// Compiles a .cpp or .c to an object.
  Command plain(const ProgramRequest::Input& source, const std::filesystem::path& object) const;
  /// Links. `files`: objects, libraries and their options, in order. `library`: the folder of
  /// libfermata_cudart.so, where the program finds it at run time.
  Command link(const std::vector<std::string>& files, const std::filesystem::path& library,
               const std::filesystem::path& program) const;

  /// Returns the options that make the compiler write the dependencies of `object`, for make.
  Command dependencies(const std::filesystem::path& object) const;

 private:
  Command hip() const;
  Command cuda(const Command& reading) const;

  const ProgramRequest& request_;
  std::filesystem::path headers_;
};

}  // namespace fermata::platforms
