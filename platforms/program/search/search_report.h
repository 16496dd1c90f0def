// Prints the results of `fermata search`: as text for a person, as CSV for a program.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <fermata/platforms/program/search/search_apply.h>

namespace fermata::platforms {

/// Prints the accesses collected, the source lines that conflict, the result of each search, and
/// advice. `everyInstruction`: print also instructions without conflicts, with all classes of their
/// accesses. `applied`: the runs with the best mapping.
void printSearch(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 bool everyInstruction, std::ostream& out);
/// Prints the compromises of SearchReport::pareto.
void printPareto(const SearchReport& report, std::ostream& out);

/// Returns one row per search, with where its mapping is made and whether it is the best there.
/// rank is empty if the class is not linear over GF(2).
std::string searchCsv(const SearchReport& report);
/// Returns one row per search and instruction.
std::string instructionsCsv(const SearchReport& report);
/// Returns one row per compromise.
std::string paretoCsv(const SearchReport& report);

/// Returns the description of the columns of the three tables: file,column,type,unit,description.
std::string searchSchema();

/// Returns "matrix 0x21,0x42".
std::string matrixText(const indexing::gf2::Matrix& bank);
/// Returns the values of `--set` that select a mapping.
std::vector<std::string> settingsFor(const SearchReport& report, const std::string& mapping);
/// Returns the `fermata run` of the request's workloads with a mapping, or the `fermata exec` of
/// its program, quoted for a shell.
std::string runCommand(const SearchRequest& request, const SearchReport& report,
                       const std::string& mapping);

}  // namespace fermata::platforms
