// Published claims without figures of ours.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/claims.h>
#include <fermata/platforms/program/study/study_report.h>

namespace fermata::platforms {

class PublishedFacts {
 public:
  /// Throws InputError when the claims cannot be read.
  PublishedFacts() : claims_(readClaims()) { claims_.merge(readClaims(kSilicon)); }

  /// Returns a claim: one number, or a text of several. Throws InputError at `where` for an unknown
  /// claim.
  ComparedFigure of(const std::string& claim, const SourceLocation& where) const;
  /// Throws InputError at `where` for an unknown claim.
  const Claim& claim(const std::string& id, const SourceLocation& where) const;

 private:
  Claims claims_;
};

/// Throws InputError if a part of the study names an unknown claim. Call it before the study runs.
void requireClaims(const Study& study);
/// Returns the ids of all claims that the study names.
std::set<std::string> claimsOf(const Study& study);
/// Returns the study's `claims`. Throws InputError for an unknown one.
std::vector<ComparedFigure> publishedFacts(const Study& study);

}  // namespace fermata::platforms
