// Measurements of machines (published/silicon.csv) beside the model's figures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/claims.h>
#include <fermata/platforms/program/study/reproduction_page.h>

namespace fermata::platforms {

/// Error up to which a measurement is met, in percent.
inline constexpr double kMetPercent = 5;

/// A measurement and ours.
struct ValidatedRow {
  Claim claim;
  std::string study;            ///< empty: none compares it
  std::string measured;         ///< the number that is compared, as it was reported
  std::optional<double> ours;   ///< empty: not run
  std::optional<double> error;  ///< percent of the measured value
  std::string verdict;          ///< "met", "differs", "not run"
  std::string why;              ///< cause or note; of a row that is not run: the reason
};

/// Returns a row for each measurement that a study compares, and one for each that none does, in
/// the order of their ids.
std::vector<ValidatedRow> validated(const Claims& silicon,
                                    const std::vector<ReproducedStudy>& studies);

/// Returns the rows as a table for a person, with their counts below.
std::string validationTable(const std::vector<ValidatedRow>& rows);
std::string validationCsv(const std::vector<ValidatedRow>& rows);
/// Returns the page. Pictures are those of the studies' folders in `folder`.
std::string validationPage(const std::vector<ValidatedRow>& rows,
                           const std::vector<ReproducedStudy>& studies,
                           const ReproductionStamp& stamp, const std::filesystem::path& folder);

}  // namespace fermata::platforms
