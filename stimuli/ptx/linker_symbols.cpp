#include <fermata/stimuli/ptx/linker_symbols.h>

#include <algorithm>
#include <array>

#include <fermata/stimuli/input_error.h>

namespace fermata::ptx {
namespace {

using Linkage = LinkItem::Linkage;
using Kind = LinkItem::Kind;

class ItemReader {
 public:
  ItemReader(const std::vector<Token>& tokens, const std::string& fileName)
      : tokens_(tokens), fileName_(fileName) {}

  std::vector<LinkItem> read() {
    std::vector<LinkItem> items;
    while (!atEnd()) items.push_back(item());
    return items;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  bool atEnd() const { return now().kind == Token::Kind::End; }
  void take() {
    if (atEnd())
      throw InputError({fileName_, now().at.line, now().at.column},
                       "the file ends within a declaration; expected its end");
    ++at_;
  }
  /// Skips a bracketed part, if one begins here.
  bool skipPart(char open, char close) {
    if (!now().is(open)) return false;
    unsigned depth = 0;
    do {
      if (now().is(open)) ++depth;
      if (now().is(close)) --depth;
      take();
    } while (depth != 0);
    return true;
  }

  LinkItem item() {
    LinkItem made;
    made.tokens.begin = at_;
    linkage(made);
    const std::string_view word = now().text;
    take();
    if (word == ".version" || word == ".address_size") {
      made.kind = Kind::Header;
      take();
    } else if (word == ".target") {
      made.kind = Kind::Header;
      do take();
      while (now().is(',') || tokens_[at_ - 1].is(','));
    } else if (word == ".section") {
      made.kind = Kind::Section;
      while (!now().is('{')) take();
      skipPart('{', '}');
    } else if (word == ".file") {
      while (!atEnd() && now().kind != Token::Kind::Directive) take();
    } else if (word == ".func" || word == ".entry") {
      function(made);
    } else if (isSpace(word)) {
      made.isShared = word == ".shared";
      variable(made);
    } else if (word != ";") {
      while (!now().is(';')) take();
      take();
    }
    made.tokens.end = at_;
    return made;
  }

  static bool isSpace(std::string_view word) {
    constexpr std::array<std::string_view, 5> kSpaces = {".global", ".const", ".shared", ".local",
                                                         ".tex"};
    return std::find(kSpaces.begin(), kSpaces.end(), word) != kSpaces.end();
  }

  void linkage(LinkItem& made) {
    for (;; take()) {
      if (now().isDirective(".visible"))
        made.linkage = Linkage::Visible;
      else if (now().isDirective(".weak"))
        made.linkage = Linkage::Weak;
      else if (now().isDirective(".common"))
        made.linkage = Linkage::Common;
      else if (now().isDirective(".extern"))
        made.linkage = Linkage::Extern;
      else
        return;
    }
  }

  void function(LinkItem& made) {
    made.kind = Kind::Function;
    while (now().kind != Token::Kind::Word) {
      if (!skipPart('(', ')')) take();
    }
    made.name = now().text;
    while (!now().is('{') && !now().is(';')) {
      if (!skipPart('(', ')')) take();
    }
    made.body = at_;
    made.isDefined = now().is('{');
    if (!skipPart('{', '}')) take();
  }

  void variable(LinkItem& made) {
    made.kind = Kind::Variable;
    made.isDefined = made.linkage != Linkage::Extern;
    while (now().kind != Token::Kind::Word) {
      if (!skipPart('(', ')')) take();
    }
    made.name = now().text;
    while (!now().is('=') && !now().is(';')) {
      if (now().is(','))
        throw InputError({fileName_, now().at.line, now().at.column},
                         "a list of variables; expected one per declaration, as compilers write");
      take();
    }
    made.body = at_;
    while (!now().is(';')) take();
    take();
  }

  const std::vector<Token>& tokens_;
  const std::string& fileName_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<LinkItem> itemsOf(const std::vector<Token>& tokens, const std::string& fileName) {
  return ItemReader(tokens, fileName).read();
}

}  // namespace fermata::ptx
