#include <fermata/platforms/program/did_you_mean.h>

#include <algorithm>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMostLetters = 64;  ///< of a word; longer ones are no typing errors
constexpr const char* kList = "; expected one of ";

std::size_t distance(const std::string& a, const std::string& b) {
  // Rows of the table of Damerau and Levenshtein: for the prefixes of a that end before i.
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& here = least[i][j];
      here = i == 0 ? j : i;
      if (i == 0 || j == 0) continue;
      const bool equal = a[i - 1] == b[j - 1];
      here = std::min(
          {least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here = std::min(here, least[i - 2][j - 2] + 1);
    }
  }
  return least[a.size()][b.size()];
}

/// Splits a list such as "a, b, c, or the path of a file" or "a|b|c" at its separators.
std::vector<std::string> wordsOf(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char one : list) {
    if (one == ',' || one == '|' || one == ' ') {
      words.emplace_back();
    } else {
      words.back() += one;
    }
  }
  words.erase(std::remove(words.begin(), words.end(), std::string()), words.end());
  return words;
}

}  // namespace

std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t least = word.size() / 3 + 1;
  if (word.size() < 2 || word.size() > kMostLetters) return nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMostLetters || candidate == word) continue;
    const std::size_t here = distance(word, candidate);
    if (here >= least) continue;
    least = here;
    nearest = candidate;
  }
  return nearest;
}

std::string withNearestWord(const std::string& message) {
  const std::size_t list = message.find(kList);
  const std::size_t begin = message.find('\'');
  if (list == std::string::npos || begin >= list) return message;
  const std::size_t end = message.find('\'', begin + 1);
  if (end >= list) return message;
  const std::string nearest =
      nearestWord(message.substr(begin + 1, end - begin - 1),
                  wordsOf(message.substr(list + std::string(kList).size())));
  if (nearest.empty()) return message;
  return message.substr(0, list) + "; did you mean '" + nearest + "'?" + message.substr(list + 1);
}

}  // namespace fermata::platforms
