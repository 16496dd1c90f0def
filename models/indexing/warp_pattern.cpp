#include <fermata/models/indexing/warp_pattern.h>

#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/mapping_text.h>

namespace fermata::indexing {
namespace {

constexpr const char* kSyntax = "'stride S [offset O]' or 'words A,B,...'";

/// Returns the blank-separated pieces of `text`, with their columns.
std::vector<Token> pieces(std::string_view text) {
  std::vector<Token> result;
  for (const Token& piece : split({text, 1}, ' ')) {
    if (!piece.text.empty()) result.push_back(piece);
  }
  return result;
}

WarpPattern parseStride(const std::vector<Token>& piece, std::uint32_t words) {
  if (piece.size() < 2) throw IndexingError("the stride is missing; expected stride S", 0);
  const std::uint32_t stride = parseNumber(piece[1], "stride", 0, 0xffffffffU);
  std::uint32_t offset = 0;
  if (piece.size() > 2) {
    if (piece[2].text != "offset" || piece.size() != 4) {
      throw IndexingError(std::string("after the stride; expected nothing or offset O"),
                          piece[2].column);
    }
    offset = parseNumber(piece[3], "offset", 0, 0xffffffffU);
  }
  const std::uint64_t last = std::uint64_t{kWarpLanes - 1} * stride + offset;
  if (last >= words) {
    throw IndexingError("lane 31 takes word " + std::to_string(last) + " of a memory of " +
                            std::to_string(words) +
                            " words; expected a smaller stride, or more --words",
                        piece[1].column);
  }
  WarpPattern pattern;
  pattern.active = kAllLanes;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) pattern.word[lane] = lane * stride + offset;
  return pattern;
}

WarpPattern parseWords(const Token& list, std::uint32_t words) {
  const std::vector<Token> items = split(list, ',');
  if (items.empty() || items.size() > kWarpLanes)
    throw IndexingError(std::to_string(items.size()) + " words; expected 1 to 32", list.column);
  WarpPattern pattern;
  for (std::size_t lane = 0; lane < items.size(); ++lane) {
    pattern.word[lane] = parseNumber(items[lane], "word", 0, words - 1);
    pattern.active |= LaneMask{1} << lane;
  }
  return pattern;
}

}  // namespace

WarpPattern parseWarpPattern(std::string_view text, std::uint32_t words) {
  const std::vector<Token> piece = pieces(text);
  const std::string_view kind = piece.empty() ? std::string_view{} : piece[0].text;
  if (kind == "stride") return parseStride(piece, words);
  if (kind == "words") {
    const std::size_t behind = piece[0].column - 1 + kind.size();
    return parseWords({text.substr(behind), behind + 1}, words);
  }
  throw IndexingError(std::string("no such pattern; expected ") + kSyntax, 1);
}

}  // namespace fermata::indexing
