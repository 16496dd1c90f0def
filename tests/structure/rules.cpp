#include "tests/structure/rules.h"

namespace fermata::test {

namespace {

constexpr std::size_t kMostLines = 400;

/// A room: a folder, or a file, of the tree. `to` lists the paths (of a file, or of a folder with
/// its slash) that its files may include besides each other. A file belongs to the longest room
/// that its path begins with.
struct Arrows {
  std::string room;
  std::vector<std::string> to;
};

// Plain C++ that all rooms share: the words of an instruction, a grid, a workload, an outcome.
const char* const kVocabulary = "models/vocabulary/";

const Arrows kArrows[] = {
    {"models/", {}},
    {"models/vocabulary/", {}},
    {"results/files/", {kVocabulary}},
    {"models/timing/", {kVocabulary}},
    {"models/indexing/", {kVocabulary}},
    {"models/search/", {kVocabulary, "models/indexing/"}},
    {"models/transaction/", {kVocabulary, "models/timing/"}},
    {"models/conformance/", {kVocabulary, "models/transaction/", "models/timing/"}},
    {"models/probe/", {kVocabulary, "models/transaction/", "models/timing/"}},
    {"models/core/",
     {kVocabulary, "models/transaction/", "models/indexing/", "models/probe/", "models/timing/"}},
    {"models/memory/",
     {kVocabulary, "models/transaction/", "models/indexing/", "models/probe/", "models/timing/"}},
    {"models/rtl/",
     {kVocabulary, "models/memory/", "models/transaction/", "models/indexing/", "models/probe/",
      "models/timing/"}},
    {"models/rtl/dpi/", {kVocabulary, "models/indexing/", "models/transaction/lane_groups.h"}},
    {"models/power/", {kVocabulary, "models/probe/", "models/transaction/", "models/timing/"}},
    {"stimuli/", {kVocabulary, "models/indexing/", "results/files/"}},
    {"results/", {"results/files/"}},
    {"platforms/", {"models/", "stimuli/", "results/"}},
    {"platforms/energy/", {"models/", "stimuli/", "results/", "platforms/compose/"}},
    {"platforms/exec/", {kVocabulary, "stimuli/input_error.h", "results/files/"}},
    {"platforms/program/",
     {"models/", "stimuli/", "results/", "platforms/compose/", "platforms/energy/",
      "platforms/exec/"}},
    {"platforms/cudart/",
     {"models/", "stimuli/", "results/", "platforms/compose/", "platforms/energy/",
      "platforms/exec/", "platforms/program/"}},
    {"platforms/by_hand/",
     {"models/", "stimuli/", "results/", "platforms/cci/", "platforms/compose/",
      "platforms/program/"}},
    {"platforms/own_rtl/",  // its headers have no folder, like a user's
     {"models/", "stimuli/", "results/", "platforms/compose/", "platforms/program/",
      "local_memory.h", "request_grant.h"}},
    {"tests/", {"models/", "stimuli/", "results/", "platforms/"}},
};

/// A library, by the beginnings of its headers, that the files of some rooms must not reach.
struct Foreign {
  std::vector<std::string> rooms;
  std::string library;
  std::vector<std::string> headers;
};

const Foreign kForeign[] = {
    {{kVocabulary, "models/indexing/", "models/search/", "models/rtl/dpi/", "stimuli/", "results/"},
     "SystemC",
     {"<systemc>", "<systemc.h>", "<sysc/", "<tlm>", "<tlm.h>", "<tlm_"}},
    {{"models/"}, "a file format", {"<toml++/", "<csv.h>", "<fstream>", "<filesystem>"}},
};

bool beginsWithOne(const std::string& text, const std::vector<std::string>& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const std::string& start) { return begins(text, start); });
}

const Arrows* arrowsOf(const std::string& path) {
  const Arrows* longest = nullptr;
  for (const Arrows& arrows : kArrows) {
    if (!begins(path, arrows.room)) continue;
    if (longest == nullptr || arrows.room.size() > longest->room.size()) longest = &arrows;
  }
  return longest;
}

/// Follows includes depth first and records the path.
class CircleSearch {
 public:
  explicit CircleSearch(const SourceTree& tree) : tree_(tree) {}

  Findings run() {
    for (const auto& [path, file] : tree_) visit(path);
    return std::move(findings_);
  }

 private:
  void visit(const std::string& path) {
    const auto file = tree_.find(path);
    if (file == tree_.end()) return;
    if (onTheWay_.count(path) != 0) return report(path);
    if (!visited_.insert(path).second) return;
    way_.push_back(path);
    onTheWay_.insert(path);
    for (const std::string& include : file->second.includes) visit(include);
    onTheWay_.erase(path);
    way_.pop_back();
  }

  void report(const std::string& path) {
    std::string text = path;
    for (auto step = way_.rbegin(); step != way_.rend(); ++step) {
      text = *step + " -> " + text;
      if (*step == path) break;
    }
    findings_.push_back("a circle: " + text);
  }

  const SourceTree& tree_;
  std::vector<std::string> way_;
  std::set<std::string> onTheWay_;
  std::set<std::string> visited_;
  Findings findings_;
};

/// Returns the first header of the library that `include` is or reaches; empty if there is none.
std::string libraryHeader(const SourceTree& tree, const std::string& include,
                          const Foreign& foreign, std::set<std::string>& seen) {
  if (!seen.insert(include).second) return "";
  if (beginsWithOne(include, foreign.headers)) return include;
  const auto file = tree.find(include);
  if (file == tree.end()) return "";
  for (const std::string& next : file->second.includes) {
    const std::string found = libraryHeader(tree, next, foreign, seen);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace

Findings circles(const SourceTree& tree) {
  return CircleSearch(tree).run();
}

Findings againstTheArrows(const SourceTree& tree) {
  Findings findings;
  for (const auto& [path, file] : tree) {
    const Arrows* arrows = arrowsOf(path);
    for (const std::string& include : file.includes) {
      if (include.front() == '<') continue;
      if (arrows != nullptr &&
          (arrowsOf(include) == arrows || beginsWithOne(include, arrows->to))) {
        continue;
      }
      findings.push_back(path + " includes " + include + ", against the arrows");
    }
  }
  return findings;
}

// Reports only the step out of the rooms: a file that includes an offending file is not to blame.
Findings foreignLibraries(const SourceTree& tree) {
  Findings findings;
  for (const Foreign& foreign : kForeign) {
    for (const auto& [path, file] : tree) {
      if (!beginsWithOne(path, foreign.rooms)) continue;
      for (const std::string& include : file.includes) {
        if (beginsWithOne(include, foreign.rooms)) continue;
        std::set<std::string> seen;
        const std::string header = libraryHeader(tree, include, foreign, seen);
        if (header.empty()) continue;
        findings.push_back(path + " must not know " + foreign.library + " but includes " + include +
                           (header == include ? "" : " and with it " + header));
      }
    }
  }
  return findings;
}

Findings tooLong(const SourceTree& tree) {
  Findings findings;
  for (const auto& [path, file] : tree) {
    if (file.lines <= kMostLines) continue;
    findings.push_back(path + " has " + std::to_string(file.lines) + " lines; expected " +
                       std::to_string(kMostLines) + " or fewer");
  }
  return findings;
}

Findings falseNames(const SourceTree& tree) {
  std::set<std::string> names{"fermata_cuda.h"};  // exists, but is not C++ of ours
  for (const auto& [path, file] : tree) {
    names.insert(path);
    for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
      names.insert(path.substr(at + 1));
    }
  }
  Findings findings;
  for (const auto& [path, file] : tree) {
    for (const std::string& name : file.named) {
      if (names.count(name) == 0) findings.push_back(path + " speaks of " + name + ", no file");
    }
  }
  return findings;
}

Findings notInstalled(const SourceTree& tree, const std::set<std::string>& installed) {
  Findings findings;
  for (const std::string& header : installed) {
    const auto file = tree.find(header);
    if (file == tree.end()) continue;
    for (const std::string& include : file->second.includes) {
      if (include.front() == '<' || installed.count(include) != 0) continue;
      findings.push_back(header + " is installed but " + include + ", which it includes, is not");
    }
  }
  return findings;
}

}  // namespace fermata::test
