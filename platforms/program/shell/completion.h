// Completes a command line of the program, for every shell alike.
//   run transpose --pla           -> --platform
//   run transpose --platform sm_  -> sm_70, sm_75, ... with their descriptions
//   run --set scheduler.pol       -> scheduler.policy=
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fermata::platforms {

struct Completion {
  enum class Paths { None, Files, Folders };
  struct Candidate {
    std::string word;
    std::string meaning;
  };

  std::vector<Candidate> candidates;
  Paths paths = Paths::None;  ///< the shell adds its files or folders
};

/// Completes the last of `words`, which stand behind the program's name. An = may stand alone, as
/// bash splits words there.
Completion completionOf(const CLI::App& app, std::vector<std::string> words);

/// Returns the completion as the shells read it: a line `words`, `files` or `folders`, then one
/// line per candidate, its meaning behind a tab.
std::string completionText(const Completion& completion);

/// Returns the script by which a shell (bash, zsh or fish) asks the program. Throws InputError for
/// another shell.
std::string completionScript(const std::string& shell);

}  // namespace fermata::platforms
