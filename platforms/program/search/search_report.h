// What `fermata search` found: as text for a person, as CSV for a program.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <fermata/platforms/program/search/search_apply.h>

namespace fermata::platforms {

/// What was collected, which source lines conflict, what each search found, what to do about it.
/// `everyInstruction`: also those without conflicts, with all classes of their accesses. `applied`:
/// the runs with the best mapping.
void printSearch(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 bool everyInstruction, std::ostream& out);
/// The compromises of SearchReport::pareto.
void printPareto(const SearchReport& report, std::ostream& out);

/// class,method,mapping,conflicts_before,conflicts_after,rank,proof: a row a search. rank: empty
/// when the class is not linear over GF(2).
std::string searchCsv(const SearchReport& report);
/// A row a search and instruction.
std::string instructionsCsv(const SearchReport& report);
/// A row a compromise.
std::string paretoCsv(const SearchReport& report);

/// What the columns of these three mean: file,column,type,unit,description.
std::string searchSchema();

/// "matrix 0x21,0x42".
std::string matrixText(const indexing::gf2::Matrix& bank);
/// What `--set` needs to select a mapping.
std::vector<std::string> settingsFor(const SearchReport& report, const std::string& mapping);
/// The `fermata run` of the request's workloads with a mapping, or the `fermata exec` of its
/// program, quoted for a shell.
std::string runCommand(const SearchRequest& request, const SearchReport& report,
                       const std::string& mapping);

}  // namespace fermata::platforms
