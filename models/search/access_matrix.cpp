#include <fermata/models/search/access_matrix.h>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/mapping_text.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::search {
namespace {

using indexing::IndexingError;
using indexing::Token;

constexpr const char* kSyntax =
    "threads=X or XxY cols=C matrix=M00,M01,M10,M11 and, if wanted, offset=O0,O1";
constexpr std::uint32_t kMostThreads = 1024;
// Keeps every product of Eq. 4 within 64 bits: 2 * 2^24 * 2^10 rows of 2^24 words.
constexpr std::uint32_t kMostNumber = std::uint32_t{1} << 24;

std::vector<Token> pieces(std::string_view text) {
  std::vector<Token> found;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
      continue;
    }
    const std::size_t first = i;
    while (i < text.size() && text[i] != ' ' && text[i] != '\t') ++i;
    found.push_back({text.substr(first, i - first), first + 1});
  }
  return found;
}

std::int64_t signedNumber(Token token, const std::string& what) {
  const bool negative = !token.text.empty() && token.text.front() == '-';
  if (negative) token = {token.text.substr(1), token.column + 1};
  const std::int64_t value = indexing::parseNumber(token, what, 0, kMostNumber);
  return negative ? -value : value;
}

std::vector<std::int64_t> signedNumbers(const Token& value, const std::string& what,
                                        std::size_t count) {
  const std::vector<Token> parts = indexing::split(value, ',');
  if (parts.size() != count) {
    throw IndexingError(what + " of " + std::to_string(parts.size()) + " numbers; expected " +
                            std::to_string(count),
                        value.column);
  }
  std::vector<std::int64_t> numbers;
  for (const Token& part : parts) numbers.push_back(signedNumber(part, what));
  return numbers;
}

void parseThreads(const Token& value, AccessMatrix& access) {
  const std::vector<Token> parts = indexing::split(value, 'x');
  if (parts.empty() || parts.size() > 2) {
    throw IndexingError("threads: expected X or XxY", value.column);
  }
  access.threadsX = indexing::parseNumber(parts[0], "threads", 1, kMostThreads);
  access.threadsY =
      parts.size() == 1 ? 1 : indexing::parseNumber(parts[1], "threads", 1, kMostThreads);
  if (access.threadsX * access.threadsY > kMostThreads) {
    throw IndexingError("threads: a block of " + std::to_string(access.threadsX * access.threadsY) +
                            " threads; expected at most " + std::to_string(kMostThreads),
                        value.column);
  }
}

}  // namespace

AccessMatrix parseAccessMatrix(std::string_view text) {
  AccessMatrix access;
  const char* const keys[] = {"threads", "cols", "matrix", "offset"};
  bool seen[4] = {};
  for (const Token& piece : pieces(text)) {
    const std::size_t equals = piece.text.find('=');
    std::size_t key = 0;
    while (key < 4 &&
           (equals == std::string_view::npos || piece.text.substr(0, equals) != keys[key])) {
      ++key;
    }
    if (key == 4) {
      throw IndexingError(
          "'" + std::string(piece.text.substr(0, 40)) + "' is not understood; expected " + kSyntax,
          piece.column);
    }
    if (seen[key]) throw IndexingError(std::string(keys[key]) + " is given twice", piece.column);
    seen[key] = true;
    const Token value{piece.text.substr(equals + 1), piece.column + equals + 1};
    if (key == 0) {
      parseThreads(value, access);
    } else if (key == 1) {
      access.columns = indexing::parseNumber(value, "cols", 1, kMostNumber);
    } else if (key == 2) {
      const std::vector<std::int64_t> m = signedNumbers(value, "matrix", 4);
      for (std::size_t i = 0; i < 4; ++i) access.matrix[i / 2][i % 2] = m[i];
    } else {
      const std::vector<std::int64_t> o = signedNumbers(value, "offset", 2);
      access.offset[0] = o[0];
      access.offset[1] = o[1];
    }
  }
  for (std::size_t key = 0; key < 3; ++key) {
    if (!seen[key]) {
      throw IndexingError(std::string(keys[key]) + "= is missing; expected " + kSyntax,
                          text.size() + 1);
    }
  }
  return access;
}

std::vector<std::vector<std::uint32_t>> warpWords(const AccessMatrix& access, std::uint32_t words) {
  std::vector<std::vector<std::uint32_t>> warps;
  const std::uint32_t threads = access.threadsX * access.threadsY;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    if (thread % kWarpLanes == 0) warps.emplace_back();
    const std::int64_t tx = thread % access.threadsX;
    const std::int64_t ty = thread / access.threadsX;
    const auto& m = access.matrix;
    const std::int64_t row = m[0][0] * ty + m[0][1] * tx + access.offset[0];
    const std::int64_t word = row * access.columns + m[1][0] * ty + m[1][1] * tx + access.offset[1];
    if (word < 0 || word >= static_cast<std::int64_t>(words)) {
      throw IndexingError("thread (" + std::to_string(tx) + "," + std::to_string(ty) +
                          ") asks for word " + std::to_string(word) + "; expected 0 to " +
                          std::to_string(static_cast<std::int64_t>(words) - 1));
    }
    warps.back().push_back(static_cast<std::uint32_t>(word));
  }
  return warps;
}

}  // namespace fermata::search
