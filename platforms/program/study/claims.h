// Published figures: results/published, as data.
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
  std::string value;  ///< a number, or several: as it stands there
  std::string unit;
  std::string note;

  /// The value as a number. Throws InputError when it is none.
  double number() const;
};

/// Every claim by its id. Throws InputError when the file is missing or damaged.
std::map<std::string, Claim> readClaims();

/// Any table of the published folder: the header's names, then the rows, each as wide.
struct PublishedTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  /// Index of a column. Throws InputError.
  std::size_t column(const std::string& name) const;
  std::string file;
};
PublishedTable readPublished(const std::string& fileName);

}  // namespace fermata::platforms
