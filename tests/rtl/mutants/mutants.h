// The list of mutants, mutants.txt.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fermata::rtl::test {

struct Mutant {
  std::string kind;
  std::string from;
  std::string to;

  bool isNone() const { return from == "none"; }
};

/// Takes the piece up to the next " | " from a line; in it "\|" stands for a bar and "
/// " for a new line.
inline std::string takePiece(std::string& line) {
  const std::size_t bar = line.find(" | ");
  std::string piece = line.substr(0, bar);
  line.erase(0, bar == std::string::npos ? bar : bar + 3);
  for (std::size_t at = piece.find('\\'); at != std::string::npos; at = piece.find('\\', at)) {
    piece.replace(at, 2, 1, piece[at + 1] == 'n' ? '\n' : piece[at + 1]);
  }
  return piece;
}

inline std::vector<Mutant> readMutants(const std::string& path) {
  std::ifstream in(path);
  std::vector<Mutant> mutants;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    Mutant mutant;
    mutant.kind = takePiece(line);
    mutant.from = takePiece(line);
    mutant.to = takePiece(line);
    mutants.push_back(mutant);
  }
  if (mutants.empty()) throw std::runtime_error(path + " has no mutants");
  return mutants;
}

}  // namespace fermata::rtl::test
