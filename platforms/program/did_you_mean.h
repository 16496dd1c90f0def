// The word that a user who mistyped one probably meant.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the candidate with the fewest letters changed, dropped, added or swapped with their
/// neighbour, if these are at most a third of the word; otherwise an empty text.
///   "gtx48" of gtx280, gtx480, gtx580 -> "gtx480"
std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates);

/// Puts the nearest word into a message that lists what was expected:
///   "unknown platform 'gtx48'; expected one of gtx280, gtx480" ->
///   "unknown platform 'gtx48'; did you mean 'gtx480'? expected one of gtx280, gtx480"
/// Other messages stay as they are.
std::string withNearestWord(const std::string& message);

}  // namespace fermata::platforms
