// The words of a source: its pieces without spaces and comments, by number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/source_pieces.h>

namespace fermata::platforms {

class SourceWords {
 public:
  /// The text must outlive the words.
  explicit SourceWords(const std::string& text);

  std::size_t size() const { return words_.size(); }
  /// Returns a word; an empty one beyond the last.
  std::string_view at(std::size_t k) const {
    return k < size() ? text_.substr(beginOf(k), endOf(k) - beginOf(k)) : std::string_view();
  }
  const Piece& piece(std::size_t k) const { return words_[k]; }
  std::size_t beginOf(std::size_t k) const { return words_[k].begin; }
  std::size_t endOf(std::size_t k) const { return words_[k].end; }
  bool isName(std::size_t k) const;

 private:
  std::string_view text_;
  std::vector<Piece> words_;
};

}  // namespace fermata::platforms
