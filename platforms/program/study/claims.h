// Published figures (results/published) as data.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A row of claims.csv (papers) or silicon.csv (machines).
struct Claim {
  std::string id;
  std::string place;  ///< in the paper: "Table 6"
  std::string quantity;
  std::string subject;
  std::string value;  ///< one or several numbers, as printed in the paper
  std::string unit;
  std::string note;
  std::string source;       ///< the paper's number, or who measured it
  std::string notCompared;  ///< why no study compares it; empty: one does

  /// Returns the value as a number. Throws InputError if it is none.
  double number() const;
  /// Returns number `part`, from 1, of a value such as "14 / 20", as it is printed. Throws
  /// InputError if there is none.
  std::string numberText(std::size_t part) const;
};

using Claims = std::map<std::string, Claim>;

/// Names of the files of claims: what papers publish, and what was measured on machines.
inline constexpr const char* kPapers = "claims.csv";
inline constexpr const char* kSilicon = "silicon.csv";

/// Returns every claim of a file by its id. `file` is in the published folder, or an absolute path.
/// Throws InputError if it is missing or damaged, or if a claim has no source.
Claims readClaims(const std::string& file = kPapers);

/// A table of the published folder: the header's names, then rows of equal width.
struct PublishedTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  /// Returns the index of a column. Throws InputError if there is none.
  std::size_t column(const std::string& name) const;
  std::string file;
};
PublishedTable readPublished(const std::string& fileName);

}  // namespace fermata::platforms
