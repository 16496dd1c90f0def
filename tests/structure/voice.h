// Rules of the language of the tree: comments that name their subject, pages without walls.
#pragma once

#include <string_view>

#include "tests/structure/rules.h"

namespace fermata::test {

/// Words of a paragraph of a page, and of a cell of its tables, at most.
inline constexpr std::size_t kMostParagraphWords = 90;
inline constexpr std::size_t kMostCellWords = 40;

/// Finds comments of C++ that begin with a word that refers to what only the code says: Of, The
/// same, As, Those, Who, That, Whatever, What, Whose, Which. A block of comment lines begins once.
Findings riddles(const std::string& path, std::string_view source);
/// Finds paragraphs, list items and cells of a page in Markdown that are too long. Code does not
/// count.
Findings walls(const std::string& path, std::string_view page);

}  // namespace fermata::test
