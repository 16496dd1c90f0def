// Published figures (results/published) as data.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A row of claims.csv.
struct Claim {
  std::string id;
  std::string place;  ///< in the paper: "Table 6"
  std::string quantity;
  std::string subject;
  std::string value;  ///< one or several numbers, as printed in the paper
  std::string unit;
  std::string note;

  /// Returns the value as a number. Throws InputError if it is none.
  double number() const;
};

/// Returns every claim by its id. `file` is in the published folder, or an absolute path. Throws
/// InputError if it is missing or damaged, or if a claim has no source.
std::map<std::string, Claim> readClaims(const std::string& file = "claims.csv");

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
