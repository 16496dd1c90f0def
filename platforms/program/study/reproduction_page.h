// The page and the tables of `fermata study --all`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/reproduction.h>

namespace fermata::platforms {

/// Where the figures come from.
struct ReproductionStamp {
  std::string date;     ///< "2026-11-26"
  std::string version;  ///< of the program
  std::string commit;   ///< of its source; "unknown" outside a repository
};

/// Returns the stamp of this program, today. `version`: of the program.
ReproductionStamp stampOfHere(const std::string& version);
/// Returns a page: title and stamp, `content` (HTML), then a section for each study with its
/// picture in `folder`, or why it failed. `csv`: the file that has the figures, too.
std::string figuresPage(const std::string& title, const std::string& content,
                        const std::string& csv, const std::vector<ReproducedStudy>& studies,
                        const ReproductionStamp& stamp, const std::filesystem::path& folder);

/// Returns reproduction.csv: every figure of every study, the largest difference first.
std::string reproductionCsv(const std::vector<ReproducedStudy>& studies);
/// Returns the headlines as a table in Markdown, in the order of the studies.
std::string headlines(const std::vector<ReproducedStudy>& studies, const ReproductionStamp& stamp);
/// Returns the page. Pictures are those of the studies' folders in `folder`.
std::string reproductionPage(const std::vector<ReproducedStudy>& studies,
                             const ReproductionStamp& stamp, const std::filesystem::path& folder);

}  // namespace fermata::platforms
