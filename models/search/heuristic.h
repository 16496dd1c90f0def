// Loop shared by both bitwise heuristics: one feature after the other, each the best after those
// chosen before.
//
// A heuristic H has scores(prefix, features), an object S with better(i, j) (feature i strictly
// before feature j; false when they tie) and value(i).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fermata/models/search/features.h>

namespace fermata::search {

/// One choice of a heuristic.
struct HeuristicStep {
  Feature feature = 0;
  double score = 0;  ///< score of the feature, after the steps before it
};

inline std::vector<Feature> featuresOf(const std::vector<HeuristicStep>& steps) {
  std::vector<Feature> features;
  for (const HeuristicStep& step : steps) features.push_back(step.feature);
  return features;
}

/// Returns the features that may follow: none chosen before and, if `independent`, no XOR of chosen
/// ones.
std::vector<Feature> featuresLeft(const std::vector<Feature>& features,
                                  const std::vector<Feature>& chosen, bool independent);

/// Returns the index of the best of `count`; at a tie the first.
template <typename Scores>
std::size_t bestOf(const Scores& scores, std::size_t count) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (scores.better(i, best)) best = i;
  }
  return best;
}

/// Returns `count` features; ties go to the first in `features`. With `independent` the choice is a
/// mapping. Without it features are chosen as the paper writes, which does not ask for
/// independence. Returns fewer if no more are left.
template <typename H>
std::vector<HeuristicStep> heuristicSteps(const H& heuristic, const std::vector<Feature>& features,
                                          unsigned count, bool independent) {
  std::vector<HeuristicStep> steps;
  while (steps.size() < count) {
    const std::vector<Feature> chosen = featuresOf(steps);
    const std::vector<Feature> left = featuresLeft(features, chosen, independent);
    if (left.empty()) break;
    const auto scores = heuristic.scores(chosen, left);
    const std::size_t best = bestOf(scores, left.size());
    steps.push_back({left[best], scores.value(best)});
  }
  return steps;
}

/// How a published choice compares with the choice on the accesses at hand.
struct PublishedChoice {
  enum class Verdict : std::uint8_t {
    Same,      ///< equal to the choice made here
    Tie,       ///< no other feature scores better at any step: only ties fell differently
    Accesses,  ///< impossible on these accesses, however ties fall
  };
  Verdict verdict = Verdict::Same;
  /// Index from 0. Tie: first step that differs from ours. Accesses: first step that no tie
  /// explains. Same: the number of steps.
  unsigned step = 0;
  /// At `step`: score of the published feature, after the published ones before it.
  double score = 0;
  double best = 0;  ///< at `step`: best score of all features
};

/// Follows a published choice through these accesses. A published feature is scored even if it is
/// not in `features`, or not independent.
template <typename H>
PublishedChoice comparePublished(const H& heuristic, const std::vector<Feature>& features,
                                 const std::vector<Feature>& published, bool independent) {
  const std::vector<Feature> ours = featuresOf(
      heuristicSteps(heuristic, features, static_cast<unsigned>(published.size()), independent));
  PublishedChoice result;
  std::vector<Feature> chosen;
  for (unsigned step = 0; step < published.size(); ++step) {
    const Feature feature = published[step];
    std::vector<Feature> left = {feature};
    for (const Feature other : featuresLeft(features, chosen, independent)) {
      if (other != feature) left.push_back(other);
    }
    const auto scores = heuristic.scores(chosen, left);
    const std::size_t best = bestOf(scores, left.size());
    const bool differs = step >= ours.size() || ours[step] != feature;
    const bool firstToDiffer = differs && result.verdict == PublishedChoice::Verdict::Same;
    if (best != 0 || firstToDiffer) {
      result.verdict =
          best != 0 ? PublishedChoice::Verdict::Accesses : PublishedChoice::Verdict::Tie;
      result.step = step;
      result.score = scores.value(0);
      result.best = scores.value(best);
    }
    if (best != 0) return result;
    chosen.push_back(feature);
  }
  if (result.verdict == PublishedChoice::Verdict::Same) {
    result.step = static_cast<unsigned>(published.size());
  }
  return result;
}

}  // namespace fermata::search
