// A parsed PTX module: names are resolved, opcodes are still text.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/lexer.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

enum class VariableSpace : std::uint8_t { Global, Constant, Shared, Local, Parameter };

struct Variable;

struct Function;

/// Part of an initialiser that is the address of another variable or of a function.
struct Relocation {
  std::uint32_t at = 0;  ///< byte in the initialiser
  std::uint8_t bytes = 8;
  std::uint8_t shift = 0;  ///< right shift of the address: 8 for 0xff00(name)
  const Variable* target = nullptr;
  const Function* function = nullptr;
  std::int64_t addend = 0;
};

struct Variable {
  Position at;
  std::string name;
  VariableSpace space = VariableSpace::Global;
  Type type = Type::B8;
  std::uint64_t count = 1;  ///< elements; 0: unsized `.extern`
  bool isArray = false;
  bool isExtern = false;
  bool isTexture = false;  ///< `.texref`
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  std::vector<std::uint8_t> initialiser;  ///< empty: zero
  std::vector<Relocation> relocations;
  std::uint32_t number = 0;  ///< index in Ast::variables, if of module scope
};

/// True if the variable lies in device memory, one copy for all threads.
inline bool isInDeviceMemory(const Variable& variable) {
  return variable.space == VariableSpace::Global || variable.space == VariableSpace::Constant;
}

struct Operand {
  enum class Kind : std::uint8_t {
    Register,   ///< `index` in Function::registers
    Special,    ///< special register `name`
    Variable,   ///< `variable` + `offset`: its address
    Function,   ///< `function`
    Label,      ///< `index` in Function::labels
    Integer,    ///< `integer`
    Float,      ///< `real`; `integer` has the bits of hexadecimal forms
    Address,    ///< [elements[0] + offset] or [elements[0], elements[1]] (tex)
    Vector,     ///< {elements}
    Pair,       ///< elements[0] | elements[1]
    List,       ///< (elements): arguments or results of a call
    Prototype,  ///< `function`: a .callprototype
    Sink,       ///< _
  };
  Kind kind = Kind::Sink;
  bool negated = false;  ///< !p
  std::uint8_t hexFloatBits = 0;
  Position at;
  std::uint32_t index = 0;
  const ptx::Variable* variable = nullptr;
  const ptx::Function* function = nullptr;
  std::string_view name;
  std::uint64_t integer = 0;
  double real = 0;
  std::int64_t offset = 0;
  std::vector<Operand> elements;
};

/// An instruction, or a labelled directive: .branchtargets with labels, .calltargets with
/// functions, .callprototype with one Prototype.
struct Statement {
  Position at;
  std::string_view opcode;  ///< with its dots
  bool guarded = false;
  bool guardNegated = false;
  std::uint32_t guard = 0;  ///< register number
  Position guardAt;
  std::vector<Operand> operands;
  bool located = false;          ///< a .loc gives the two fields below
  std::uint32_t sourceFile = 0;  ///< number of a .file
  std::uint32_t sourceLine = 0;  ///< 0: the compiler's own code, without a line
};

struct Register {
  std::string name;
  Type type = Type::B32;
  bool ofModule = false;  ///< one per thread, common to all functions
};

/// A formal parameter or return value: a `.param` variable or a `.reg`.
struct Formal {
  const Variable* variable = nullptr;
  std::uint32_t reg = 0;
  bool isPointer = false;  ///< `.ptr`
};

struct Label {
  std::string name;
  std::uint32_t statement = 0;
};

struct Function {
  Position at;
  std::string name;
  bool isEntry = false;
  bool isDefined = false;
  std::uint32_t number = 0;  ///< index in Ast::functions
  std::vector<Formal> parameters;
  std::vector<Formal> results;
  std::vector<Register> registers;
  std::vector<std::unique_ptr<Variable>> variables;  ///< .local .shared .param, and formals
  std::vector<Statement> statements;
  std::vector<Label> labels;
  std::vector<std::unique_ptr<Function>> prototypes;  ///< one per .callprototype
  std::uint32_t requiredThreads = 0;                  ///< .reqntid; 0: not stated, as below
  std::uint32_t maximumThreads = 0;                   ///< .maxntid
  std::uint32_t maximumRegisters = 0;                 ///< .maxnreg
  std::uint32_t minimumCtas = 0;                      ///< .minnctapersm
  std::array<std::uint32_t, 3> requiredCluster{};     ///< .reqnctapercluster
  std::uint32_t maximumClusterRank = 0;               ///< .maxclusterrank
  bool needsCluster = false;                          ///< .explicitcluster
};

/// First PTX version, in tenths, in which kernels have a parameter list and modifiers have no
/// defaults.
inline constexpr unsigned kVersionOfExplicitForms = 14;

/// Parsed module that parse() keeps. `text` owns the bytes that string_views point into.
struct Ast {
  std::string fileName;
  std::string text;
  unsigned version = 0;  ///< in tenths: 14 is PTX 1.4
  std::string target;    ///< "sm_80"
  unsigned addressBits = 32;
  std::vector<std::string> files;  ///< names by `.file` number; empty: not declared
  std::vector<std::unique_ptr<Variable>> variables;
  std::vector<std::unique_ptr<Function>> functions;
  /// Functions whose address a body or an initialiser takes, in order of declaration.
  std::vector<const Function*> addressTaken;
};

/// Parses a module without decoding it. Throws InputError if its syntax or a name is wrong.
std::unique_ptr<Ast> parseSyntax(std::string_view text, const std::string& fileName);

/// True if `name` is that of a special register, such as "%tid.x".
bool isSpecialRegister(std::string_view name);

}  // namespace fermata::ptx
