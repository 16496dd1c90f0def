#include <fermata/platforms/program/program_trace.h>

#include <fermata/platforms/exec/run_program.h>
#include <fermata/stimuli/refuse.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace fermata::platforms {

namespace fs = std::filesystem;

ProgramTrace::ProgramTrace(const std::vector<std::string>& command)
    : file_("trace", fs::path(command.front()).filename().string() + ".csv.zst") {
  setenv("FERMATA_FUNCTIONAL", "1", 1);
  setenv("FERMATA_RECORD", file_.path().c_str(), 1);
  // The program's standard output must not mix with tables.
  const int code = exec::runProgram(command, true);
  if (code != 0) {
    throw std::runtime_error("'" + command.front() + "' ended with exit code " +
                             std::to_string(code) + "; nothing of it is used");
  }
  if (fs::exists(file_.path())) return;
  refuse("'{}' launched nothing; expected a program made by 'fermata cc'", command.front());
}

}  // namespace fermata::platforms
