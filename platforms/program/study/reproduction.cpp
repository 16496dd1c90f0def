#include <fermata/platforms/program/study/reproduction.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_output.h>
#include <fermata/platforms/program/study/study_pieces.h>
#include <fermata/platforms/program/work/digests.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

namespace {

/// A study on its way.
struct Course {
  ReproducedStudy result;
  StudyCells cells;
};

/// The pieces of all studies.
class StudyWork : public KeyedWork {
 public:
  explicit StudyWork(const Digests& digests) : digests_(digests) {}

  void add(std::size_t study, std::vector<StudyPiece> pieces) {
    for (StudyPiece& piece : pieces) {
      std::string key = keyOf(piece.inputs, digests_);
      if (keys_.insert(key).second) once_.push_back(pieces_.size());
      pieces_.push_back({study, std::move(key), std::move(piece)});
    }
  }

  const std::string& key(std::size_t piece) const override { return pieces_[piece].key; }
  std::string executes(std::size_t piece) const override { return pieces_[piece].piece.executes; }
  std::string run(std::size_t piece, traces::MemoryTrace* trace) const override {
    return pieces_[piece].piece.work(trace);
  }

  /// Returns one piece for each key.
  const std::vector<std::size_t>& once() const { return once_; }

  /// Enters the results of every piece into the cells of its study. `stopped`: why the machine
  /// stopped pieces, if it did.
  template <class Set>
  void enter(const ResultStore& store, const std::string& stopped, std::vector<Course>& courses,
             Set set) const {
    for (const Piece& piece : pieces_) {
      Course& course = courses[piece.study];
      std::string& failure = course.result.failure;
      if (!failure.empty()) continue;
      const ResultStore::State state = store.state(piece.key);
      if (state == ResultStore::State::Done) {
        set(course.result.study, piece.piece, store.result(piece.key), course.cells);
      } else {
        failure = state == ResultStore::State::Failed
                      ? store.failure(piece.key)
                      : "the machine stopped a run: " + stopped + "; the command again goes on";
      }
    }
  }

 private:
  struct Piece {
    std::size_t study;
    std::string key;
    StudyPiece piece;
  };

  const Digests& digests_;
  std::vector<Piece> pieces_;
  std::set<std::string> keys_;
  std::vector<std::size_t> once_;
};

/// Calls `step(course)` for every study that has not failed.
template <class Step>
void forEach(std::vector<Course>& courses, Step step) {
  for (Course& course : courses) {
    if (!course.result.failure.empty()) continue;
    try {
      step(course);
    } catch (const InputError& error) {
      course.result.failure = error.what();
    }
  }
}

void writeStudy(Course& course, const std::filesystem::path& folder) {
  const Study& study = course.result.study;
  files::OutputSet files;
  const std::filesystem::path out = folder / study.name;
  files.makeFolder(out);
  std::ostringstream unread;
  const auto quiet = [](const std::string&, std::size_t, std::size_t) {};
  course.result.figures = reportStudy(study, course.cells, quiet, unread, files, out);
  files.commit();
}

}  // namespace

std::vector<ReproducedStudy> reproduce(std::vector<Study> studies, const ReproductionOrder& order,
                                       results::Progress& progress) {
  std::vector<Course> courses;
  for (Study& study : studies) courses.push_back({{std::move(study), {}, ""}, {}});
  const Digests digests = digestsOfHere();
  const ResultStore store(order.folder / "store");
  const auto phase = [&](const char* what, auto piecesOf, auto enter) {
    StudyWork work(digests);
    forEach(courses, [&](Course& course) {
      work.add(static_cast<std::size_t>(&course - courses.data()), piecesOf(course));
    });
    const WorkTally tally = workOn(store, work, work.once(), order.work, what, progress);
    work.enter(store, tally.why, courses, enter);
  };
  phase(
      "searches",
      [](Course& course) {
        requireClaims(course.result.study);
        course.cells = emptyCells(course.result.study);
        return searchPieces(course.result.study);
      },
      setSearches);
  phase(
      "runs",
      [&](Course& course) { return runPieces(course.result.study, course.cells, order.connector); },
      setRun);
  forEach(courses, [&](Course& course) { writeStudy(course, order.folder); });
  std::vector<ReproducedStudy> results;
  for (Course& course : courses) results.push_back(std::move(course.result));
  return results;
}

std::optional<double> pointsOff(const ComparedFigure& figure) {
  if (!isCompared(figure)) return {};
  if (!figure.oursText.empty())
    return figure.oursText == figure.text ? std::optional<double>(0) : std::nullopt;
  const double off = std::abs(*figure.ours - *figure.published);
  if (off == 0 || figure.unit == "percent") return off;
  return *figure.published == 0 ? std::optional<double>() : 100 * off / std::abs(*figure.published);
}

}  // namespace fermata::platforms
