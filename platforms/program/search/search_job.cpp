#include <fermata/platforms/program/search/search_job.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fermata/models/indexing/linear.h>
#include <fermata/models/search/atom.h>
#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/search/access_descriptions.h>
#include <fermata/platforms/program/search/l1_search.h>
#include <fermata/platforms/program/search/layout_limits.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using search::Found;
using search::MappingClass;
using search::Proof;

std::vector<OpenWorkload> openAll(const SearchRequest& request,
                                  const PlatformParameters& platform) {
  std::vector<OpenWorkload> opened;  // all opened before the first runs: a wrong name costs no time
  const WorkloadParameters parameters = parseParameters(request.parameters);
  for (const std::string& workload : request.workloads) {
    opened.push_back(openWorkload(workload, parameters, kernelOptions(request, platform),
                                  traceSettings(request)));
  }
  tellApart(opened);
  return opened;
}

void checkSources(const SearchRequest& request) {
  const std::size_t sources = request.workloads.size() + request.accessFiles.size() +
                              request.accessTexts.size() + request.layouts.size();
  if (sources == 0)
    refuse(
        "nothing to search; expected a workload, --accesses FILE.csv, --access TEXT or --layout "
        "TEXT");
  const std::size_t atoms = request.atoms.size();
  if (atoms != request.layouts.size() && (atoms != 1 || request.layouts.empty()))
    refuse("{} of --atom for {} of --layout; expected one for all layouts, or one for each", atoms,
           request.layouts.size());
  if (request.workloads.empty() && !request.parameters.empty())
    refuse("--param {}: there is no workload that could have it", request.parameters.front());
  if (request.keepOccupancy && request.workloads.empty())
    refuse("--keep-occupancy: expected a workload, whose CTAs take shared memory");
  if (!request.weights.empty() && request.weights.size() != sources)
    refuse("--weights has {} number{}; expected {}, one for each of what is searched",
           request.weights.size(), request.weights.size() == 1 ? "" : "s", sources);
}

/// Warns of what the run did. Throws if it gave wrong results: such a kernel must not be searched.
void checkRun(const OpenWorkload& open) {
  open.warn();
  // Its dumps are for `fermata run` only.
  if (auto* kernel = dynamic_cast<launch::LaunchWorkload*>(open.workload.get()))
    kernel->checkResults();
}

void collect(const SearchRequest& request, SearchReport& report, results::Progress& progress) {
  Collected& into = report.collected;
  const PlatformParameters& platform = report.configuration.parameters();
  const auto weight = [&] {
    return request.weights.empty() ? 1 : request.weights[into.sources.size()];
  };
  for (OpenWorkload& open : openAll(request, platform)) {
    if (request.l1) {
      collectHits(
          request, open, weight(), [&] { checkRun(open); }, report);
    } else {
      collectAccesses(
          *open.workload, open.name, weight(), platform, into,
          [&](std::uint64_t done) {
            progress.update(done, 0, open.name + " without timing, warp instructions");
          },
          indexing::build(report.baseline, report.shape));
      progress.finish();
      checkRun(open);
    }
    open.workload.reset();  // frees its memory
  }
  for (const std::string& path : request.accessFiles) {
    collectAccessFile(path, weight(), report.shape.words, into);
  }
  for (const std::string& text : request.accessTexts) {
    collectAccessMatrix(text, weight(), report.shape.words, platform, into);
  }
  for (std::size_t i = 0; i < request.layouts.size(); ++i) {
    collectLayout(request.layouts[i], atomOf(request, i), request.elementBytes, weight(),
                  report.shape.words, platform, into);
  }
}

void checkCollected(const SearchReport& report) {
  const Collected& collected = report.collected;
  if (collected.sets.largestWord() >= report.shape.words)
    refuse("word {} is accessed; expected --words {} or more", collected.sets.largestWord(),
           collected.sets.largestWord() + 1);
  long double most = 0;
  for (std::size_t i = 0; i < collected.profile.size(); ++i) {
    most += static_cast<long double>(collected.profile[i].groups) *
            collected.profile[i].passesPerWord() *
            static_cast<long double>(collected.sets.instructions()[i].weight);
  }
  if (most * search::AccessSets::kMaxWords >
      static_cast<long double>(std::numeric_limits<std::int64_t>::max())) {
    refuse("the counts times their weights are too large to add up; expected smaller ones");
  }
}

/// Returns the conflicts per instruction.
std::vector<std::uint64_t> conflictsOf(const search::AccessSets& sets,
                                       const std::vector<search::Use>& uses,
                                       const search::ConflictCount& count,
                                       const indexing::Indexer& indexer) {
  std::vector<std::uint64_t> conflicts(sets.instructions().size(), 0);
  const std::vector<std::uint32_t> degrees = count.degrees(indexer);
  for (const search::Use& use : uses) {
    conflicts[use.instruction] += use.count * (degrees[use.set] - 1);
  }
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    conflicts[i] = sets.whole(conflicts[i] * sets.instructions()[i].weight);
  }
  return conflicts;
}

/// Scales a row from the sample to all sets. The proof is lost: the sample proves nothing about
/// sets left out.
void scale(SearchRow& row, const search::AccessSets& sets) {
  if (!sets.sampled()) return;
  row.found.before = sets.whole(row.found.before);
  row.found.after = sets.whole(row.found.after);
  row.found.proof = Proof::Heuristic;
}

/// Counts mean passes on the sampled sets, unscaled: a mean must not mix counts with estimates.
void countDegrees(const search::AccessSets& sets, const std::vector<search::Use>& uses,
                  const std::vector<std::uint32_t>& degrees, SearchReport& report) {
  std::vector<std::uint64_t> sum(sets.instructions().size(), 0);
  report.counted.assign(sum.size(), 0);
  for (const search::Use& use : uses) {
    report.counted[use.instruction] += use.count;
    sum[use.instruction] += use.count * degrees[use.set];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double counted =
        static_cast<double>(report.counted[i]) / report.collected.profile[i].passesPerWord();
    report.counted[i] = static_cast<std::uint64_t>(std::llround(counted));
    report.meanDegree.push_back(counted == 0 ? 0 : static_cast<double>(sum[i]) / counted);
  }
}

class Searcher {
 public:
  Searcher(const SearchRequest& request, SearchReport& report)
      : request_(request),
        report_(report),
        sets_(report.collected.sets),
        count_(sets_, report.addressBits()),
        uses_(sets_.uses()),
        limits_(occupancyLimits(report.configuration.parameters())),
        layouts_(layoutLimits(request, report.shape.wordBytes)) {
    const auto indexer = indexing::build(report.baseline, report.shape);
    report.conflictsBefore = conflictsOf(sets_, uses_, count_, *indexer);
    report.before = sets_.whole(count_.mapped(*indexer));
    countDegrees(sets_, uses_, count_.degrees(*indexer), report);
  }

  void searchAll(const std::vector<SearchPair>& pairs, results::Progress& progress) {
    const bool asked = !request_.classes.empty() &&
                       std::find(request_.classes.begin(), request_.classes.end(), "all") ==
                           request_.classes.end();
    std::size_t done = 0;
    for (const SearchPair& pair : pairs) {
      progress.update(
          done++, pairs.size(),
          fmt::format("searches, now {} {}", name(pair.mappingClass), name(pair.method)));
      try {
        add(search::search(pair.mappingClass, pair.method, {sets_, report_.shape}, count_,
                           options(pair.mappingClass)));
      } catch (const indexing::IndexingError& error) {
        if (asked) throw;
        report_.leftOut.push_back({pair, error.what()});
      }
    }
    progress.finish();
  }

  void findPareto() {
    const unsigned bankBits = indexing::bankBits(report_.shape, "--pareto");
    std::vector<indexing::gf2::Matrix> starts;
    for (const SearchRow& row : report_.rows) {
      const auto indexer = indexing::build(row.found.mapping, report_.shape);
      if (const auto* linear = dynamic_cast<const indexing::LinearIndexer*>(indexer.get())) {
        starts.push_back(linear->bankMatrix());
      }
    }
    report_.pareto = search::paretoFront(sets_, count_, bankBits, starts, request_.searchOptions);
    for (search::ParetoPoint& point : report_.pareto) {
      point.conflicts = sets_.whole(point.conflicts);
    }
  }

 private:
  /// Returns the options of a class. A kernel's own changes keep the vectors whole that a
  /// lane accesses at once, and pad the strides of layouts only; a machine maps word by word.
  search::SearchOptions options(MappingClass mappingClass) const {
    search::SearchOptions options = request_.searchOptions;
    options.regionBits = windowBits(report_.collected.grids, limits_, report_.shape.wordBytes);
    if (search::ofKernel(mappingClass)) {
      options.vectorBytes = std::max(options.vectorBytes, layouts_.vectorBytes);
      const std::uint32_t widest = report_.collected.widestBytes;
      if (widest > report_.shape.wordBytes)
        options.vectorBytes = std::max(options.vectorBytes, widest);
      options.paddingRows = layouts_.rows;
    }
    if (request_.keepOccupancy) {
      options.mostPadding = spareBytes(report_.collected.grids, limits_) / report_.shape.wordBytes;
    }
    return options;
  }

  void add(Found found) {
    SearchRow row;
    const auto indexer = indexing::build(found.mapping, report_.shape);
    row.after = sets_.whole(found.after);
    row.latency = indexer->cost().latency;
    row.price = found.mappingClass == MappingClass::Padding
                    ? MappingPrice{0.0, ""}
                    : priceOf(CostTable::ours(), found.mapping, report_.shape);
    row.banks = indexer->shape().banks;
    row.conflicts = conflictsOf(sets_, uses_, count_, *indexer);
    if (found.mappingClass == MappingClass::Padding && sets_.size() != 0) {
      const std::uint32_t largest = sets_.largestWord();
      const indexing::Location at = indexer->location(largest);
      row.extraWords = at.row * row.banks + at.bank - largest;
      row.lost = worstLoss(report_.collected.grids, limits_,
                           std::uint64_t{row.extraWords} * report_.shape.wordBytes);
    }
    row.found = std::move(found);
    scale(row, sets_);
    report_.rows.push_back(std::move(row));
  }

  const SearchRequest& request_;
  SearchReport& report_;
  const search::AccessSets& sets_;
  search::ConflictCount count_;
  std::vector<search::Use> uses_;
  OccupancyLimits limits_;
  LayoutLimits layouts_;
};

/// `--vector` asks for what a kernel does itself.
/// True if a layout is a factor that a matrix descriptor tells: no descriptor has padding or a
/// swizzle other than TMA's.
bool hasFactor(const SearchRequest& request) {
  for (std::size_t i = 0; i < request.layouts.size(); ++i) {
    if (search::parseAtom(atomOf(request, i), request.elementBytes).operand.isFactor())
      return true;
  }
  return false;
}

UsualClasses usualClasses(const SearchRequest& request) {
  if (hasFactor(request)) return UsualClasses::Factor;
  if (request.searchOptions.vectorBytes != 0) return UsualClasses::Kernel;
  return request.layouts.empty() ? UsualClasses::Machine : UsualClasses::Layout;
}

bool powerOfTwo(std::uint32_t value) {
  return (value & (value - 1)) == 0;
}

/// Returns the memory whose banks are searched.
indexing::Shape shapeOf(const SearchRequest& request, const PlatformParameters& p) {
  const ScratchpadParameters& s = p.scratchpad;
  if (request.l1) return {request.banks.value_or(l1Banks(p)->shape().banks), largestL1(p) / 4, 4};
  return {request.banks.value_or(s.banks), request.words.value_or(s.bytes / s.bankBytes),
          s.bankBytes};
}

}  // namespace

unsigned SearchReport::addressBits() const {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < std::max(shape.words, shape.banks)) ++bits;
  return bits;
}

void checkRows(const Configuration& configuration) {
  const std::uint32_t words = configuration.parameters().crossbar.rowWords;
  if (words == 1) return;
  refuse(configuration.place("scratchpad.row_words"),
         "scratchpad.row_words = {}: a search counts the words that each bank is asked for, not "
         "its rows; expected 1",
         words);
}

SearchReport runSearch(const SearchRequest& request, results::Progress& progress) {
  checkSources(request);
  std::vector<SearchPair> pairs =
      chooseSearches(request.classes, request.methods, usualClasses(request));
  SearchReport report;
  report.ofLayouts = !request.layouts.empty();
  report.configuration = openPlatform(request.platform, request.sets);
  checkRows(report.configuration);
  report.l1 = request.l1;
  if (request.l1) {
    checkL1Search(request, report.configuration);
    pairs = ofHardware(std::move(pairs));
  }
  report.shape = shapeOf(request, report.configuration.parameters());
  report.baseline =
      fmt::format("{} {}", powerOfTwo(report.shape.banks) ? "mod" : "ami", report.shape.banks);

  collect(request, report, progress);
  checkCollected(report);
  Searcher searcher(request, report);
  if (report.before == 0 && !request.evenWithoutConflicts) return report;
  searcher.searchAll(pairs, progress);
  if (request.pareto) searcher.findPareto();
  return report;
}

std::string proofText(const Found& found) {
  switch (found.proof) {
    case Proof::ConflictFree:
      return "conflict-free";
    case Proof::Optimal:
      return "optimal";
    case Proof::Bound:
      return "bound=" + std::to_string(found.bound);
    case Proof::Heuristic:
      break;
  }
  return "heuristic";
}

}  // namespace fermata::platforms
