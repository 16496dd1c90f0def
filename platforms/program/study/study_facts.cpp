#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

const Claim& PublishedFacts::claim(const std::string& id, const SourceLocation& where) const {
  const auto found = claims_.find(id);
  if (found == claims_.end())
    refuse(where, "unknown claim '{}'; expected an id of published/claims.csv or silicon.csv", id);
  return found->second;
}

ComparedFigure PublishedFacts::of(const std::string& id, const SourceLocation& where) const {
  const Claim& claim = this->claim(id, where);
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

namespace {

/// Calls visit(id, place) for every claim that the study names.
template <class Visit>
void forEachClaim(const Study& study, Visit visit) {
  for (const Comparison& comparison : study.comparisons) {
    if (!comparison.claim.empty()) visit(comparison.claim, comparison.where);
  }
  for (const std::string& id : study.claims) visit(id, study.claimsAt);
  for (const HardwareFigure& cost : study.costs) visit(cost.claim, cost.where);
  for (const ModulusFigure& figure : study.moduli) visit(figure.claim, figure.where);
  for (const Example& example : study.examples) visit(example.claim, example.where);
}

}  // namespace

void requireClaims(const Study& study) {
  const PublishedFacts facts;
  forEachClaim(study,
               [&](const std::string& id, const SourceLocation& where) { facts.claim(id, where); });
}

std::set<std::string> claimsOf(const Study& study) {
  std::set<std::string> ids;
  forEachClaim(study, [&](const std::string& id, const SourceLocation&) { ids.insert(id); });
  return ids;
}

std::vector<ComparedFigure> publishedFacts(const Study& study) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const std::string& id : study.claims) figures.push_back(facts.of(id, study.claimsAt));
  return figures;
}

}  // namespace fermata::platforms
