// Helpers that several tests of studies share.
#pragma once

#include <fermata/platforms/program/study/study_run.h>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

namespace fermata::platforms::test {

using fermata::test::begins;
using fermata::test::bytesOf;
using fermata::test::errorOf;
using fermata::test::has;
using fermata::test::messageOf;

struct Folder : fermata::test::TemporaryFolder {
  std::string file(const std::string& text, const std::string& name = "mine.toml") const {
    put(name, text);
    return (*this / name).string();
  }
};

inline Study readStudy(const std::string& text) {
  const Folder folder;
  return openStudy(folder.file(text));
}
inline double figure(const StudyCells& cells, std::size_t workload, std::size_t variant,
                     Measure measure) {
  return measureOf(cells, workload, variant, measure).value();
}

inline const std::string kHead = "title = 't'\nsource = 's'\n";
inline const StudyProgress kQuiet = [](const std::string&, std::size_t, std::size_t) {};

inline std::string refusal(const std::string& text) {
  return messageOf([&] { readStudy(text); });
}
/// Checks that a study is refused, and that the message has the part.
inline void refuses(const std::string& text, const std::string& part) {
  const std::string message = refusal(text);
  BOOST_TEST(has(message, part), text << "\nis refused with\n" << message);
}

/// Returns cells of two workloads, a baseline and one variant; the second workload has no
/// conflicts.
inline StudyCells someCells() {
  StudyCells cells(2, std::vector<std::optional<StudyCell>>(3));
  cells[0][0] = StudyCell{"", 100, 80, 1000, 500};
  cells[0][1] = StudyCell{"fixed-xor", 100, 20, 800, 550};
  cells[1][0] = StudyCell{"", 100, 0, 500, 300};
  cells[1][1] = StudyCell{"fixed-xor", 100, 0, 400, 300};
  return cells;
}

}  // namespace fermata::platforms::test
