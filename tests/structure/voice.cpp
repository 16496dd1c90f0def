#include "tests/structure/voice.h"

#include <cctype>

namespace fermata::test {

namespace {

constexpr std::array<std::string_view, 10> kListed = {"Of",   "The same", "As",   "Those", "Who",
                                                      "That", "Whatever", "What", "Whose", "Which"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool beginsWithListedWord(std::string_view comment) {
  for (const std::string_view word : kListed) {
    if (!startsWith(comment, word)) continue;
    const std::string_view behind = comment.substr(word.size());
    if (behind.empty() || std::isalnum(static_cast<unsigned char>(behind.front())) == 0)
      return true;
  }
  return false;
}

/// Returns the text of a comment whose "//" begins here.
std::string_view textOf(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of('/'), comment.size()));
  if (startsWith(comment, "<")) comment.remove_prefix(1);
  return trimmed(comment);
}

/// Returns where a comment behind code begins; npos if there is none. Texts in quotes hold none.
std::size_t commentBehindCode(std::string_view line) {
  char quote = 0;
  for (std::size_t at = 0; at + 1 < line.size(); ++at) {
    if (quote != 0) {
      if (line[at] == '\\') {
        ++at;
      } else if (line[at] == quote) {
        quote = 0;
      }
    } else if (line[at] == '"' ||
               (line[at] == '\'' &&
                (at == 0 || std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0))) {
      quote = line[at];
    } else if (startsWith(line.substr(at), "//")) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::size_t wordsOf(const std::string& text) {
  std::istringstream in(text);
  return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(in), {}));
}

std::string opening(const std::string& text) {
  return "'" + text.substr(0, 50) + (text.size() > 50 ? "...'" : "'");
}

bool isListItem(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (startsWith(text, "- ") || startsWith(text, "* ")) return true;
  const std::size_t digits = text.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && startsWith(text.substr(digits), ". ");
}

/// Collects the paragraphs of a page and finds those that are too long.
class Page {
 public:
  explicit Page(const std::string& path) : path_(path) {}

  void take(const std::string& line) {
    ++number_;
    if (startsWith(trimmed(line), "```")) {
      end();
      code_ = !code_;
    } else if (code_) {
      return;
    } else if (startsWith(line, "|")) {
      end();
      cells(line);
    } else if (trimmed(line).empty() || startsWith(line, "#") || isIndentedCode(line)) {
      end();
    } else {
      if (isListItem(line)) end();
      paragraph_ += line + ' ';
    }
  }
  Findings findings() {
    end();
    return std::move(findings_);
  }

 private:
  bool isIndentedCode(std::string_view line) const {
    return startsWith(line, "    ") && paragraph_.empty() && !isListItem(line);
  }
  void end() {
    check(paragraph_, "a paragraph", kMostParagraphWords);
    paragraph_.clear();
  }
  void cells(const std::string& row) {
    std::string cell;
    for (std::size_t at = 1; at < row.size(); ++at) {
      if (row[at] != '|' || row[at - 1] == '\\') {
        cell += row[at];
        continue;
      }
      check(cell, "a cell", kMostCellWords);
      cell.clear();
    }
  }
  void check(const std::string& text, const std::string& what, std::size_t most) {
    const std::size_t words = wordsOf(text);
    if (words <= most) return;
    findings_.push_back(path_ + ":" + std::to_string(number_) + " ends " + what + " of " +
                        std::to_string(words) + " words " + opening(text) + "; expected " +
                        std::to_string(most) + " or fewer");
  }

  std::string path_;
  std::string paragraph_;
  bool code_ = false;
  std::size_t number_ = 0;
  Findings findings_;
};

}  // namespace

Findings riddles(const std::string& path, std::string_view source) {
  Findings findings;
  bool goesOn = false;
  std::size_t number = 0;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    ++number;
    const bool own = startsWith(trimmed(line), "//");
    const std::size_t at = own ? line.find("//") : commentBehindCode(line);
    const std::string_view text =
        at == std::string_view::npos ? std::string_view() : textOf(line.substr(at));
    if (!(own && goesOn) && beginsWithListedWord(text)) {
      findings.push_back(path + ":" + std::to_string(number) + " begins with a listed word: " +
                         opening(std::string(text)) + "; expected the subject, or a verb");
    }
    goesOn = own && !text.empty();
  }
  return findings;
}

Findings walls(const std::string& path, std::string_view page) {
  std::istringstream in{std::string(page)};
  Page read(path);
  for (std::string line; std::getline(in, line);) read.take(line);
  return read.findings();
}

}  // namespace fermata::test
