// What both bitwise heuristics share: one feature after the other, each the best after those
// before.
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
  double score = 0;  ///< of the feature, after the steps before it
};

inline std::vector<Feature> featuresOf(const std::vector<HeuristicStep>& steps) {
  std::vector<Feature> features;
  for (const HeuristicStep& step : steps) features.push_back(step.feature);
  return features;
}

/// Those that may follow: none that was chosen before and, where they must be `independent`, none
/// that is an XOR of those.
std::vector<Feature> featuresLeft(const std::vector<Feature>& features,
                                  const std::vector<Feature>& chosen, bool independent);

/// Index of the best of `count`, the first of equals.
template <typename Scores>
std::size_t bestOf(const Scores& scores, std::size_t count) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (scores.better(i, best)) best = i;
  }
  return best;
}

/// `count` features, ties to the first in `features`. `independent`: their choice is a mapping;
/// else they are chosen as the paper writes, which does not ask for that. Fewer when no more are
/// left.
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

/// Where a published choice stands beside the accesses at hand.
struct PublishedChoice {
  enum class Verdict : std::uint8_t {
    Same,      ///< what the heuristic chooses here
    Tie,       ///< at each of its steps no other feature scores better: only ties fell otherwise
    Accesses,  ///< not to be had from these accesses, however ties fall
  };
  Verdict verdict = Verdict::Same;
  /// 0-based. Tie: the first that differs from ours; Accesses: the first that no tie explains;
  /// Same: the number of steps.
  unsigned step = 0;
  double score = 0;  ///< at that step, of the published feature after the published ones before it
  double best = 0;   ///< and the best of all features there
};

/// Follows a published choice through these accesses. A published feature is scored even where it
/// is not in `features`, or not independent.
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
