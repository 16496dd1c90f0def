#include <fermata/platforms/program/sweep/sweep_store.h>

#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>

#include <unistd.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& file) {
  return ::access(file.c_str(), F_OK) == 0;
}

/// Returns the folder if there is a plan in it.
fs::path withPlan(const fs::path& folder) {
  if (!isThere(folder / "plan.csv"))
    refuse("{} holds no sweep; expected a folder that 'fermata sweep plan' made", folder.string());
  return folder;
}

}  // namespace

void SweepStore::create(const fs::path& folder, const std::string& studyText,
                        const SweepPlan& plan) {
  const std::string text = planText(plan);
  const fs::path file = folder / "plan.csv";
  if (!isThere(file)) {
    const ResultStore folders(folder);
    writeOnce(folder, "plan.csv", text);
  }
  if (readTextFile(file.string(), "cannot read the plan; expected a readable file") != text)
    refuse(
        "{} holds the plan of another sweep: its axes, its inputs or the program have changed; "
        "expected a folder of its own for each",
        folder.string());
  if (!isThere(folder / "study.toml")) writeOnce(folder, "study.toml", studyText);
}

SweepStore::SweepStore(const fs::path& folder)
    : ResultStore(withPlan(folder)), plan_(readPlan((folder / "plan.csv").string())) {}

}  // namespace fermata::platforms
