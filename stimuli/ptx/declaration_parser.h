// Parses declarations: variables with initialisers, formal parameters, registers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/scope.h>
#include <fermata/stimuli/ptx/token_cursor.h>

namespace fermata::ptx {

/// Largest size of a variable, in bytes; more is a mistake rather than a program.
inline constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxLocalBytes = 512 * 1024;  ///< per thread, as in hardware
inline constexpr std::uint64_t kMaxConstantBytes = 64 * 1024;
inline constexpr std::uint64_t kMaxParameterBytes = 32764;

/// Returns the state space of .global, .const, .shared and .local, or nothing.
std::optional<VariableSpace> spaceNamed(std::string_view directive);

class DeclarationParser {
 public:
  explicit DeclarationParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Parses declarations behind the state space directive: `.align 4 .u32 name[2][3] = {...}, name2
  /// ... ;`. Declares the names in `scope`, appends the variables to `owner`.
  void variables(VariableSpace space, bool isExtern, Scope& scope,
                 std::vector<std::unique_ptr<Variable>>& owner);
  /// One register or, with `count`, a range of names that begin with `name`.
  struct Registers {
    Position at;
    std::string name;
    Type type = Type::B32;
    std::optional<std::uint64_t> count;
  };
  /// Parses the rest of a `.reg`: `.b32 %r<10>, a, b;`.
  std::vector<Registers> registers();
  /// Declares the registers in `scope` and as registers of the function.
  void declare(const std::vector<Registers>& registers, Scope& scope, Function& function,
               bool ofModule);
  /// Parses `( .param .u64 a, .reg .f32 b )` with its opening parenthesis. The list may be empty.
  std::vector<Formal> formals(Scope& scope, Function& function);

  void declare(Scope& scope, const std::string& name, const Symbol& symbol);

 private:
  struct Head {
    Type type = Type::B32;
    std::uint32_t alignment = 0;
    unsigned vector = 1;
    bool isTexture = false;
    bool isPointer = false;
  };
  Head head(bool mayBePointer, bool mayBeWide = false);
  std::uint32_t alignment();
  std::unique_ptr<Variable> declarator(const Head& head, VariableSpace space, bool isExtern,
                                       std::vector<std::uint64_t>& dimensions);
  bool joins(Variable& variable, Scope& scope, std::vector<std::unique_ptr<Variable>>& owner);
  void dimensions(Variable& variable, std::vector<std::uint64_t>& dimensions);
  void checkSize(const Variable& variable);
  void initialiser(Variable& variable, const std::vector<std::uint64_t>& dimensions, Scope& scope);
  void initialiserLevel(Variable& variable, const std::vector<std::uint64_t>& dimensions,
                        std::size_t depth, std::uint64_t first, std::uint64_t room, Scope& scope);
  void initialiserElement(Variable& variable, std::uint64_t element, Scope& scope);
  void initialiserByte(Variable& variable, std::uint64_t element, Scope& scope);
  void initialiserAddress(Variable& variable, std::uint64_t element, Scope& scope, bool ofByte);
  Formal formal(Scope& scope, Function& function);

  TokenCursor& cursor_;
};

}  // namespace fermata::ptx
