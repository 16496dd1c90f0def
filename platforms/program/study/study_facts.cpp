#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

ComparedFigure PublishedFacts::of(const std::string& id, const SourceLocation& where) const {
  const auto found = claims_.find(id);
  if (found == claims_.end())
    refuse(where, "unknown claim '{}'; expected an id of published/claims.csv", id);
  const Claim& claim = found->second;
  ComparedFigure figure;
  figure.id = claim.id;
  figure.place = claim.place;
  figure.subject = claim.quantity + (claim.subject.empty() ? "" : ": " + claim.subject);
  figure.unit = claim.unit;
  figure.note = claim.note;
  figure.text = claim.value;
  const bool one = claim.value.find_first_not_of("0123456789.e+-") == std::string::npos;
  if (one) figure.published = claim.number();
  return figure;
}

std::vector<ComparedFigure> publishedFacts(const Study& study) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const std::string& id : study.claims) figures.push_back(facts.of(id, study.claimsAt));
  return figures;
}

}  // namespace fermata::platforms
