// Claims as they are published, with nothing of ours.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/claims.h>
#include <fermata/platforms/program/study/study_report.h>

namespace fermata::platforms {

class PublishedFacts {
 public:
  /// `study` is named in errors. Throws InputError when the claims cannot be read.
  explicit PublishedFacts(const Study& study) : study_(study.name), claims_(readClaims()) {}

  /// One number, or a text of several. Throws InputError for an unknown claim.
  ComparedFigure of(const std::string& claim) const;

 private:
  std::string study_;
  std::map<std::string, Claim> claims_;
};

/// The study's `claims`. Throws InputError for an unknown one.
std::vector<ComparedFigure> publishedFacts(const Study& study);

}  // namespace fermata::platforms
