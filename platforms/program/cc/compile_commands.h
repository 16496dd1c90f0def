// The commands of clang-16 that a program is made with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fermata/platforms/program/cc/program_request.h>

namespace fermata::platforms {

using Command = std::vector<std::string>;

class CompileCommands {
 public:
  /// `headers`: the folder of what stands in for the toolkit's.
  CompileCommands(const ProgramRequest& request, std::filesystem::path headers)
      : request_(request), headers_(std::move(headers)) {}

  /// The device side of a .cu, to PTX.
  Command device(const std::string& source, const std::filesystem::path& ptx) const;
  /// The host side of a .cu, to an object that holds the PTX.
  Command host(const std::string& source, const std::filesystem::path& ptx,
               const std::filesystem::path& object) const;
  /// A .cpp or a .c, to an object.
  Command plain(const ProgramRequest::Input& source, const std::filesystem::path& object) const;
  /// `files`: objects, libraries and their options, in order. `library`: the folder of
  /// libfermata_cudart.so, which the program then finds there.
  Command link(const std::vector<std::string>& files, const std::filesystem::path& library,
               const std::filesystem::path& program) const;

  /// Words that have the compiler write what `object` depends on, for make.
  Command dependencies(const std::filesystem::path& object) const;

 private:
  Command cuda(const std::string& source) const;

  const ProgramRequest& request_;
  std::filesystem::path headers_;
};

}  // namespace fermata::platforms
