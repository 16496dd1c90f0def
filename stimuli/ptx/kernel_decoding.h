// Decodes the statements of an entry and of the functions it calls, one after the other.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/kernel_builder.h>

namespace fermata::ptx {

/// True if the function is defined and calls by this prototype fit. Sizes count, names and kinds do
/// not.
bool fits(const Function& function, const Function& prototype);
/// Returns the functions whose address a body or an initialiser of the module takes.
std::vector<const Function*> addressTaken(const Ast& ast);
inline bool isCall(const Statement& statement) {
  return statement.opcode == "call" || statement.opcode.substr(0, 5) == "call.";
}
/// True if the statement is a call that names a register instead of a function.
bool isIndirectCall(const Statement& statement);

class KernelDecoder {
 public:
  explicit KernelDecoder(KernelBuilder& builder) : builder_(builder) {}

  void run(MachineCode* machine);

 private:
  /// Parts of call{.uni} {(results),} function {, (arguments)} {, prototype or targets}.
  struct Call {
    const Function* function = nullptr;    ///< callee, or the prototype of an indirect call
    const Operand* pointer = nullptr;      ///< register of an indirect call
    std::vector<const Function*> targets;  ///< functions that an indirect call may reach
    Position at;
    std::vector<const Operand*> results, arguments;
  };

  void body(Frame& frame);
  void copyToLocal(Frame& frame, const Variable& parameter);
  static Statement unguarded(const Statement& statement);

  // Calls, and the inlining of functions (kernel_decoder.cpp).
  Call parts(const Frame& frame, const Statement& statement);
  void indirectParts(const Frame& frame, const Operand& label, Call& call);
  void call(Frame& frame, const Statement& statement);
  bool isRecursive(const Frame& frame, const Function& function);
  void checkNesting(const Frame& frame, const Call& call);
  void checkCounts(const Call& call);
  std::uint32_t skip(Frame& frame, const Statement& statement);
  void pass(Frame& frame, Frame& inner, const Statement& statement, const Operand& actual,
            const Formal& formal);
  void bindResult(Frame& frame, Frame& inner, const Operand& actual, const Formal& formal);
  void fetchResult(Frame& frame, Frame& inner, const Statement& statement, const Operand& actual,
                   const Formal& formal);

  // Calls with a frame of their own (called_functions.cpp).
  std::uint32_t calledIndex(const Function& function);
  void decodeCalled();
  void decodeCalled(std::uint32_t index);
  void takeFormals(Frame& frame, const std::vector<Formal>& formals,
                   std::vector<FramePlace>& places);
  /// Returns `count` new words.
  FramePlace newWords(std::size_t count, const Position& at);
  /// Sets the fields for a load or a store of the words of a scalar.
  static void wordAccess(Decoding& d, const FramePlace& place, std::uint64_t bytes, bool isLoad);
  void moveFormal(Frame& frame, const Formal& formal, const FramePlace& place, bool toRegister);
  void framedCall(Frame& frame, const Statement& statement, const Call& call);
  FramePlace argumentWords(Frame& frame, const Statement& statement, const Operand& actual,
                           const Function& callee, const Formal& formal);
  void resultWords(Frame& frame, const Statement& statement, const Operand& actual,
                   const Function& callee, const Formal& formal, std::uint32_t firstWord);
  void copyWords(Frame& frame, const Statement& statement, const FramePlace& place,
                 std::size_t words, std::uint32_t firstWord, bool isArgument);

  // Calls of functions that the executor provides (runtime_library.cpp).
  void runtimeCall(Frame& frame, const Statement& statement, const Call& call);
  void wordOperand(Frame& frame, const Call& call, Decoding& decoding, const Operand& operand,
                   std::size_t first, bool writes);
  void printOperands(Frame& frame, const Call& call, Decoding& decoding);
  void heapOperands(Frame& frame, const Call& call, Decoding& decoding, bool isMalloc);
  void launchCall(Frame& frame, const Call& call, Decoding& decoding);
  void assertOperands(Frame& frame, const Call& call, Decoding& decoding);

  static constexpr unsigned kMaxDepth = 256;

  KernelBuilder& builder_;
  std::uint32_t calls_ = 0;
  std::set<const Function*> recursive_;
};

inline bool isParameter(const Operand& operand) {
  return operand.kind == Operand::Kind::Variable &&
         operand.variable->space == VariableSpace::Parameter;
}

}  // namespace fermata::ptx
