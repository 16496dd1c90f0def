#include <fermata/platforms/program/study/picture_drawing.h>

#include <fmt/format.h>

#include <fermata/platforms/exec/run_program.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/results/gnuplot.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

bool draws(const fs::path& folder) {
  const std::string enter = "cd " + results::gnuplotText(fs::absolute(folder).string());
  const fs::path script = fs::absolute(folder) / "picture.gp";
  try {
    return exec::runProgram({"gnuplot", "-e", enter, script.string()}, true) == 0;
  } catch (const InputError&) {
    return false;  // there is no gnuplot
  }
}

}  // namespace

std::optional<fs::path> drawPicture(const fs::path& folder, const std::string& name) {
  std::error_code unknown;
  if (!fs::is_regular_file(folder / "picture.gp", unknown)) return fs::path();
  if (draws(folder)) return folder / (name + ".svg");
  warn(
      fmt::format("no picture: gnuplot failed or is not there; expected that 'gnuplot picture.gp' "
                  "in {} draws {}.svg",
                  folder.string(), name));
  return std::nullopt;
}

}  // namespace fermata::platforms
