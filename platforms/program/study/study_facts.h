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
  /// Throws InputError when the claims cannot be read.
  PublishedFacts() : claims_(readClaims()) {}

  /// One number, or a text of several. Throws InputError for an unknown claim, which stands at
  /// `where`.
  ComparedFigure of(const std::string& claim, const SourceLocation& where) const;

 private:
  std::map<std::string, Claim> claims_;
};

/// The study's `claims`. Throws InputError for an unknown one.
std::vector<ComparedFigure> publishedFacts(const Study& study);

}  // namespace fermata::platforms
