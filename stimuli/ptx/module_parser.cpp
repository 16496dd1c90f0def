// Parses the outermost level of a PTX file: directives, variables, functions.
#include <algorithm>
#include <array>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/body_parser.h>
#include <fermata/stimuli/ptx/declaration_parser.h>
#include <fermata/stimuli/ptx/opcode_spaces.h>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kNewestMajor = 9;
constexpr std::uint64_t kMaxFileNumber = 1U << 16;

class ModuleParser {
 public:
  ModuleParser(TokenCursor& cursor, Ast& ast) : cursor_(cursor), ast_(ast), declarations_(cursor) {}

  void run() {
    version();
    while (!cursor_.atEnd()) item();
    for (std::size_t k = 0; k < ast_.functions.size(); ++k)
      ast_.functions[k]->number = static_cast<std::uint32_t>(k);
  }

 private:
  void version() {
    if (!cursor_.acceptDirective(".version"))
      cursor_.failExpected(".version at the start of a PTX file");
    const Token& token = cursor_.peek();
    if (token.kind != Token::Kind::Float || token.hexFloatBits != 0)
      cursor_.failExpected("a version such as 4.2");
    if (token.real < 1.0 || token.real >= static_cast<double>(kNewestMajor + 1)) {
      cursor_.fail(token.at, "PTX version {}; expected 1.0 to 9.x", token.text);
    }
    ast_.version = static_cast<unsigned>(token.real * 10 + 0.5);
    cursor_.take();
  }

  void target() {
    do {
      const Token& name = cursor_.expectName("a target such as sm_75");
      if (name.text.substr(0, 3) != "sm_" && name.text.substr(0, 8) != "compute_" &&
          name.text.substr(0, 8) != "texmode_" && name.text != "debug" &&
          name.text.substr(0, 8) != "map_f64_") {
        cursor_.fail(name.at, "unknown target '{}'; expected sm_..", name.text);
      }
      if (name.text == "texmode_independent") {
        cursor_.fail(name.at, "texmode_independent is not supported; expected unified textures");
      }
      if (ast_.target.empty()) ast_.target = name.text;
    } while (cursor_.accept(','));
  }

  void addressSize() {
    const Position at = cursor_.peek().at;
    const std::uint64_t bits = cursor_.expectInteger("32 or 64", 1U << 20);
    if (bits != 32 && bits != 64) cursor_.fail(at, ".address_size {}; expected 32 or 64", bits);
    ast_.addressBits = static_cast<unsigned>(bits);
  }

  void file() {
    const std::uint64_t number = cursor_.expectInteger("a file number", kMaxFileNumber);
    if (cursor_.peek().kind != Token::Kind::String) cursor_.failExpected("a file name");
    if (ast_.files.size() <= number) ast_.files.resize(number + 1);
    ast_.files[number] = std::string(cursor_.take().text);
    while (cursor_.accept(',')) cursor_.expectInteger("a time stamp or size", ~std::uint64_t{0});
  }

  void section() {
    if (cursor_.peek().kind != Token::Kind::Directive && cursor_.peek().kind != Token::Kind::Word) {
      cursor_.failExpected("the name of a section");
    }
    cursor_.take();
    cursor_.expect('{', "before the section");
    unsigned depth = 1;
    while (depth != 0) {
      if (cursor_.atEnd()) cursor_.failExpected("'}' at the end of the section");
      const Token& token = cursor_.take();
      if (token.is('{')) ++depth;
      if (token.is('}')) --depth;
    }
  }

  void item() {
    const Token& token = cursor_.peek();
    if (token.is(';')) {
      cursor_.take();
      return;
    }
    if (token.kind != Token::Kind::Directive) cursor_.failExpected("a directive such as .entry");
    cursor_.take();
    const std::string_view name = token.text;
    if (name == ".target") return target();
    if (name == ".address_size") return addressSize();
    if (name == ".file") return file();
    if (name == ".section") return section();
    if (name == ".visible" || name == ".weak" || name == ".common") return;
    if (name == ".extern") {
      extern_ = true;
      return;
    }
    const bool isExtern = extern_;
    extern_ = false;
    if (name == ".pragma") return cursor_.skipPragma();
    if (const auto space = spaceNamed(name)) {
      return declarations_.variables(*space, isExtern && space != VariableSpace::Local, scope_,
                                     ast_.variables);
    }
    if (name == ".reg") return registers();
    if (name == ".tex") return legacyTexture();
    if (name == ".entry") return function(true);
    if (name == ".func") return function(false);
    if (name == ".version") cursor_.fail(token.at, "second .version in one file");
    cursor_.fail(token.at, "unsupported directive '{}'", name);
  }

  // Parses `.tex .u32 name;`, the form of PTX 1.x.
  void legacyTexture() {
    const std::size_t first = ast_.variables.size();
    declarations_.variables(VariableSpace::Global, false, scope_, ast_.variables);
    for (std::size_t i = first; i < ast_.variables.size(); ++i) ast_.variables[i]->isTexture = true;
  }

  // Parses registers declared outside of functions, in which the compilers of CUDA 1.x to 4.0 pass
  // arguments. They are declared here, for clashes of names, and in each function that follows.
  void registers() {
    const auto list = declarations_.registers();
    declarations_.declare(list, scope_, moduleRegisters_, true);
    registers_.insert(registers_.end(), list.begin(), list.end());
  }

  // Parses results, name, parameters and performance directives, then the body or ';'.
  void function(bool isEntry) {
    auto created = std::make_unique<Function>();
    Scope registers(&scope_);
    declarations_.declare(registers_, registers, *created, true);
    Scope formals(&registers);
    if (!isEntry) {
      while (cursor_.acceptDirective(".attribute")) cursor_.skipAttribute();
      if (cursor_.peek().is('(')) created->results = declarations_.formals(formals, *created);
    }
    const Token& name = cursor_.expectName("the name of a function");
    created->name = std::string(name.text);
    created->at = name.at;
    created->isEntry = isEntry;
    if (cursor_.peek().is('(')) created->parameters = declarations_.formals(formals, *created);
    performanceDirectives(*created);
    Function& target = declare(std::move(created));
    if (cursor_.accept(';')) return;
    // The compilers of CUDA 1.x to 4.0 put nothing behind a prototype.
    if (!isEntry && startsItem(cursor_.peek())) return;
    if (target.isDefined) cursor_.fail(target.at, "'{}' is defined twice", target.name);
    target.isDefined = true;
    BodyParser(cursor_, ast_, target).run(formals);
  }

  // Declares a function. If it was declared before, its definition fills that declaration in, to
  // which calls parsed so far point. clang declares a kernel of another file as a .func.
  Function& declare(std::unique_ptr<Function> created) {
    const Symbol before = scope_.findHere(created->name, nullptr);
    if (before.kind == Symbol::Kind::Function && !before.function->isDefined &&
        (before.function->isEntry == created->isEntry || created->isEntry)) {
      if (before.function->parameters.size() != created->parameters.size() ||
          before.function->results.size() != created->results.size()) {
        cursor_.fail(created->at, "'{}' differs from its declaration at line {}", created->name,
                     before.at.line);
      }
      *before.function = std::move(*created);
      return *before.function;
    }
    if (before.kind == Symbol::Kind::Function && !cursor_.peek().is('{')) return *before.function;
    declarations_.declare(scope_, created->name, Symbol::of(*created));
    ast_.functions.push_back(std::move(created));
    return *ast_.functions.back();
  }

  static bool startsItem(const Token& token) {
    static constexpr std::array<std::string_view, 17> kItems = {
        ".version", ".target", ".address_size", ".file",   ".section", ".visible",
        ".weak",    ".common", ".extern",       ".global", ".const",   ".shared",
        ".local",   ".reg",    ".tex",          ".entry",  ".func"};
    return token.kind == Token::Kind::Directive &&
           std::find(kItems.begin(), kItems.end(), token.text) != kItems.end();
  }

  void performanceDirectives(Function& function) {
    while (cursor_.peek().kind == Token::Kind::Directive && !startsItem(cursor_.peek())) {
      const Token& token = cursor_.take();
      if (token.text == ".maxntid" || token.text == ".reqntid") {
        const std::uint32_t threads = threadCount();
        (token.text == ".maxntid" ? function.maximumThreads : function.requiredThreads) = threads;
      } else if (token.text == ".minnctapersm" || token.text == ".maxnctapersm") {
        function.minimumCtas = number();
      } else if (token.text == ".reqnctapercluster") {
        function.requiredCluster = clusterSizes();
      } else if (token.text == ".maxclusterrank") {
        function.maximumClusterRank = number();
      } else if (token.text == ".explicitcluster") {
        function.needsCluster = true;
      } else if (token.text == ".maxnreg") {
        function.maximumRegisters = number();
      } else if (token.text == ".pragma") {
        cursor_.skipPragma();
      } else if (token.text != ".noreturn") {
        cursor_.fail(token.at, "unsupported directive '{}' behind a function", token.text);
      }
    }
  }

  std::uint32_t number() {
    return static_cast<std::uint32_t>(cursor_.expectInteger("a number", 1U << 20));
  }

  std::array<std::uint32_t, 3> clusterSizes() {
    const Position at = cursor_.peek().at;
    std::array<std::uint32_t, 3> sizes{1, 1, 1};
    std::size_t given = 0;
    do {
      sizes[given++] =
          static_cast<std::uint32_t>(cursor_.expectInteger("a number of CTAs", kMostClusterCtas));
    } while (given < sizes.size() && cursor_.accept(','));
    if (const std::uint32_t ctas = sizes[0] * sizes[1] * sizes[2];
        ctas == 0 || ctas > kMostClusterCtas)
      cursor_.fail(at, "a cluster of {} CTAs; expected 1 to {}", ctas, kMostClusterCtas);
    return sizes;
  }

  std::uint32_t threadCount() {
    const Position at = cursor_.peek().at;
    std::uint64_t threads = 1;
    do {
      threads *= cursor_.expectInteger("a number of threads", 1024);
    } while (cursor_.accept(',') && threads <= 1024);
    if (threads == 0 || threads > 1024)
      cursor_.fail(at, "a CTA of {} threads; expected 1 to 1024", threads);
    return static_cast<std::uint32_t>(threads);
  }

  TokenCursor& cursor_;
  Ast& ast_;
  DeclarationParser declarations_;
  Scope scope_;
  std::vector<DeclarationParser::Registers> registers_;  ///< at module scope, so far
  Function moduleRegisters_;                             ///< owns them outside of functions
  bool extern_ = false;
};

}  // namespace

std::unique_ptr<Ast> parseSyntax(std::string_view text, const std::string& fileName) {
  auto ast = std::make_unique<Ast>();
  ast->fileName = fileName;
  ast->text = std::string(text);
  closeOpcodes(ast->text);
  const std::vector<Token> tokens = tokenize(ast->text, ast->fileName);
  TokenCursor cursor(tokens, ast->fileName);
  ModuleParser(cursor, *ast).run();
  return ast;
}

}  // namespace fermata::ptx
