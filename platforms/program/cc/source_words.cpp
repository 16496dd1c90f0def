#include <fermata/platforms/program/cc/source_words.h>

namespace fermata::platforms {

SourceWords::SourceWords(const std::string& text) : text_(text) {
  Pieces pieces(text);
  for (Piece piece; pieces.next(piece);) {
    if (piece.kind != Piece::Kind::Space) words_.push_back(piece);
  }
}

bool SourceWords::isName(std::size_t k) const {
  return k < size() && words_[k].kind == Piece::Kind::Word && isLetter(at(k)[0]);
}

}  // namespace fermata::platforms
