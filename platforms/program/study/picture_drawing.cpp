#include <fermata/platforms/program/study/picture_drawing.h>

#include <fmt/format.h>

#include <fermata/platforms/exec/run_program.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/results/gnuplot.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/data_directory.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

bool draws(std::vector<std::string> words) {
  words.insert(words.begin(), "gnuplot");
  try {
    return exec::runProgram(words, true) == 0;
  } catch (const InputError&) {
    return false;  // there is no gnuplot
  }
}

}  // namespace

std::optional<fs::path> drawPicture(const fs::path& folder, const std::string& name) {
  std::error_code unknown;
  if (!fs::is_regular_file(folder / "picture.gp", unknown)) return fs::path();
  const std::string enter = "cd " + results::gnuplotText(fs::absolute(folder).string());
  if (draws({"-e", enter, (fs::absolute(folder) / "picture.gp").string()}))
    return folder / (name + ".svg");
  warn(
      fmt::format("no picture: gnuplot failed or is not there; expected that 'gnuplot picture.gp' "
                  "in {} draws {}.svg",
                  folder.string(), name));
  return std::nullopt;
}

std::optional<fs::path> drawDemo(const fs::path& folder) {
  const fs::path picture = folder / "demo.svg";
  const ScratchFile drawn("picture", "demo.svg");
  const std::string script = (fs::path(launch::dataDirectory()) / "plot_demo.gp").string();
  if (draws({"-c", script, (folder / "runs.csv").string(), drawn.path()})) {
    fs::copy_file(drawn.path(), picture, fs::copy_options::overwrite_existing);
    return picture;
  }
  warn(
      fmt::format("no picture: gnuplot failed or is not there; expected that 'gnuplot -c {} "
                  "runs.csv demo.svg' in {} draws it",
                  script, folder.string()));
  return std::nullopt;
}

}  // namespace fermata::platforms
