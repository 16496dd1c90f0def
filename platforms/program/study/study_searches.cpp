// The searches of a study.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/search.h>
#include <fermata/models/search/split_search.h>
#include <fermata/platforms/program/study/study_accesses.h>
#include <fermata/platforms/program/study/study_pieces.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

/// Accesses of one workload, collected once for all variants that change neither the platform nor
/// the parameters.
class VariantAccesses {
 public:
  explicit VariantAccesses(const StudyWorkload& workload) : workload_(workload) {}

  const StudyAccesses& of(const StudyVariant& variant) {
    const auto key = std::make_pair(variant.sets, variant.parameters);
    const auto known = accesses_.find(key);
    if (known != accesses_.end()) return known->second;
    try {
      return accesses_.emplace(key, studyAccesses(workload_, variant)).first->second;
    } catch (const InputError& error) {
      if (variant.sets.empty() && variant.parameters.empty()) throw;
      refuse(variant.where, "{}: {}", workload_.label, error.what());
    }
  }

 private:
  const StudyWorkload& workload_;
  std::map<std::pair<std::vector<std::string>, Parameters>, StudyAccesses> accesses_;
};

bool searches(const StudyVariant& variant) {
  return variant.search || variant.lockSearch;
}

/// Searches the banks' mapping that a variant asks for.
search::Found findBanks(const StudyVariant& variant, const StudyAccesses& accesses) {
  search::SearchOptions options;
  options.regions = variant.regions;
  options.regionBits = accesses.windowBits;
  const search::Problem problem{accesses.collected.sets, accesses.shape};
  search::Found found;
  if (variant.byInstruction) {
    found.after = search::conflictsByInstruction(variant.search->mappingClass,
                                                 variant.search->method, problem);
    return found;
  }
  return search::search(variant.search->mappingClass, variant.search->method, problem, options);
}

std::string findLocks(const SearchChoice& choice, const StudyAccesses& accesses) {
  return search::search(choice.mappingClass, choice.method,
                        {accesses.collected.sets, accesses.lockShape})
      .mapping;
}

/// Runs the searches of one workload; returns one line per variant: mapping and conflicts left.
/// Called in a child.
std::string searchOne(const Study& study, const StudyWorkload& workload) {
  VariantAccesses accessesOf(workload);
  std::string lines;
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const StudyVariant& variant = study.variants[v];
    if (!isFor(variant, workload)) continue;
    if (!searches(variant) && study.kind == Study::Kind::Runs) continue;
    const StudyAccesses& accesses = accessesOf.of(variant);
    const search::AccessSets& sets = accesses.collected.sets;
    std::string mapping = variant.mapping;
    std::uint64_t conflicts = 0;
    if (variant.search) {
      const search::Found found = findBanks(variant, accesses);
      mapping = found.mapping;
      conflicts = sets.whole(found.after);
    } else {
      conflicts = accesses.conflicts(mapping);
    }
    std::string locks;
    if (variant.lockSearch) locks = findLocks(*variant.lockSearch, accesses);
    lines += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", v, mapping, locks, conflicts, sets.accesses(),
                         sets.sampled() ? 1 : 0);
  }
  return lines;
}

std::string words(const std::optional<SearchChoice>& choice) {
  if (!choice) return "";
  return fmt::format("{}.{}", static_cast<int>(choice->mappingClass),
                     static_cast<int>(choice->method));
}

/// Returns the parts of the accesses that the search has mappings for; empty: one for all.
std::string partsText(const StudyVariant& variant) {
  if (variant.byInstruction) return ", by instruction";
  return variant.regions == 1 ? "" : fmt::format(", {} regions", variant.regions);
}

/// Returns what the searches of a workload depend on.
KeyedInputs searchInputs(const Study& study, const StudyWorkload& workload) {
  KeyedInputs inputs;
  inputs.kind = study.kind == Study::Kind::Runs ? "study searches 1" : "study conflicts 1";
  inputs.platform = workload.platform;
  inputs.workload = workload.name;
  inputs.parameters = assignments(workload, {}, {});
  for (const auto& [name, value] : workload.trained)
    inputs.parameters.push_back("trained " + name + '=' + value);
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const StudyVariant& variant = study.variants[v];
    if (!isFor(variant, workload)) continue;
    for (const auto& [name, value] : variant.parameters)
      inputs.parameters.push_back(fmt::format("{} {}={}", v, name, value));
    inputs.settings.push_back(fmt::format("{} {}, {}, {}, {}{}", v, variant.mapping,
                                          words(variant.search), words(variant.lockSearch),
                                          fmt::join(variant.sets, ", "), partsText(variant)));
  }
  return inputs;
}

}  // namespace

std::vector<StudyPiece> searchPieces(const Study& study) {
  std::vector<StudyPiece> pieces;
  if (!study.hasCells()) return pieces;
  for (std::size_t w = 0; w < study.workloads.size(); ++w) {
    const StudyWorkload& workload = study.workloads[w];
    const bool asked =
        study.kind == Study::Kind::Searches ||
        std::any_of(study.variants.begin(), study.variants.end(), [&](const StudyVariant& variant) {
          return searches(variant) && isFor(variant, workload);
        });
    if (!asked) continue;
    pieces.push_back({w, 0, searchInputs(study, workload), "",
                      [&study, &workload](auto*) { return searchOne(study, workload); }});
  }
  return pieces;
}

StudyCells emptyCells(const Study& study) {
  if (study.hasCells() && (study.variants.empty() || study.workloads.empty()))
    refuse("{}: no workload or no variant; expected one of each or more", study.name);
  StudyCells cells(study.workloads.size());
  for (std::size_t w = 0; w < cells.size(); ++w) {
    cells[w].resize(study.variants.size());
    if (study.kind != Study::Kind::Runs) continue;
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      const StudyVariant& variant = study.variants[v];
      if (!isFor(variant, study.workloads[w])) continue;
      cells[w][v].emplace().mapping = variant.mapping;
      cells[w][v]->baseline = variant.baseline;
    }
  }
  return cells;
}

void setSearches(const Study& study, const StudyPiece& piece, const std::string& result,
                 StudyCells& cells) {
  for (const std::string& line : split(result, '\n')) {
    const auto fields = split(line, '\t');
    const std::size_t v = std::stoul(fields.at(0));
    StudyCell cell;
    cell.mapping = fields.at(1);
    cell.locks = fields.at(2);
    cell.conflicts = std::stod(fields.at(3));
    cell.accesses = std::stod(fields.at(4));
    cell.estimate = fields.at(5) == "1";
    cell.baseline = study.variants[v].baseline;
    cells[piece.workload][v] = cell;
  }
}

}  // namespace fermata::platforms
