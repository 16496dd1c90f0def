#include <fermata/stimuli/ptx/kernel_decoder.h>

#include <algorithm>

#include <fermata/stimuli/ptx/addressed_parameters.h>
#include <fermata/stimuli/ptx/row_packing.h>

namespace fermata::ptx {
namespace {

class KernelDecoder {
 public:
  explicit KernelDecoder(KernelBuilder& builder) : builder_(builder) {}

  void run() {
    Frame frame;
    frame.function = &builder_.entry();
    body(frame);
    KernelCode& code = builder_.code();
    // Falling off the end is an exit, and a label may stand there.
    Statement end;
    end.at = builder_.entry().statements.empty() ? builder_.entry().at
                                                 : builder_.entry().statements.back().at;
    end.opcode = "exit";
    Decoding decoding(builder_, frame, end);
    decoding.i.handler = &executeExit;
    decoding.emit(InstructionClass::Exit);
    const LiveRegisters live = liveRegisters(code);
    code.registersPerThread = live.most + Kernel::kReservedRegisters;
    packRows(code, live);
    findReconvergence(code);
  }

 private:
  void body(Frame& frame) {
    const Function& function = *frame.function;
    const bool called = frame.caller != nullptr;
    const auto addressed = called ? addressedParameters(function) : std::vector<const Variable*>{};
    builder_.enterLocals(frame, addressed);
    for (const Variable* variable : addressed) copyToLocal(frame, *variable);
    std::vector<std::uint32_t> pcs;
    pcs.reserve(function.statements.size() + 1);
    for (const Statement& statement : function.statements) {
      pcs.push_back(builder_.pc());
      if (statement.opcode.substr(0, 4) == "call" &&
          (statement.opcode.size() == 4 || statement.opcode[4] == '.')) {
        call(frame, statement);
      } else {
        Decoding decoding(builder_, frame, statement);
        decodeStatement(decoding);
      }
    }
    pcs.push_back(builder_.pc());
    auto& instructions = builder_.code().instructions;
    for (const auto& [pc, label] : frame.branches)
      instructions[pc].target = pcs[function.labels[label].statement];
    for (const std::uint32_t pc : frame.returns) instructions[pc].target = builder_.pc();
    builder_.leaveLocals(frame);
  }

  void copyToLocal(Frame& frame, const Variable& parameter) {
    Statement store;
    store.at = frame.function->at;
    store.opcode = "st.local.b32";
    const FramePlace place = builder_.parameterPlace(frame, parameter, store.at);
    Decoding decoding(builder_, frame, store);
    for (std::size_t word = 0; word < place.words.size(); ++word) {
      decoding.i.handler = decoding.require(laneTable().store(MemorySpace::Local, Type::B32));
      decoding.i.space = MemorySpace::Local;
      decoding.i.operation = MemoryOperation::Store;
      decoding.i.bytesPerLane = 4;
      decoding.i.wideBase = true;
      decoding.i.a = builder_.constant(frame.locals.at(&parameter) + 4 * word, true);
      decoding.i.vector[0] = place.words[word];
      decoding.reads(place.ids[word]);
      decoding.emit(InstructionClass::Memory);
    }
  }

  /// call{.uni} {(results),} function {, (arguments)}
  struct Call {
    const Function* function = nullptr;
    Position at;
    std::vector<const Operand*> results, arguments;
  };

  Call parts(const Statement& statement) {
    Call call;
    for (const Operand& operand : statement.operands) {
      const bool isList = operand.kind == Operand::Kind::List;
      if (operand.kind == Operand::Kind::Function && call.function == nullptr) {
        call.function = operand.function;
        call.at = operand.at;
      } else if (isList && (call.function != nullptr || call.results.empty())) {
        auto& list = call.function == nullptr ? call.results : call.arguments;
        if (!list.empty()) builder_.fail(operand.at, "a third list in a call");
        for (const Operand& element : operand.elements) list.push_back(&element);
      } else if (operand.kind == Operand::Kind::Register) {
        builder_.fail(operand.at, "indirect call; only calls by name are supported");
      } else {
        builder_.fail(operand.at,
                      "unexpected operand of a call; expected (results), function, (arguments)");
      }
    }
    if (call.function == nullptr) builder_.fail(statement.at, "a call without a function");
    return call;
  }

  void call(Frame& frame, const Statement& statement) {
    if (statement.opcode != "call" && statement.opcode != "call.uni") {
      builder_.fail(statement.at, "unsupported form '" + std::string(statement.opcode) + "'");
    }
    const Call call = parts(statement);
    const Function& callee = *call.function;
    if (callee.isEntry)
      builder_.fail(call.at, "'" + callee.name + "' is an entry; expected a .func");
    checkCounts(call);
    if (!callee.isDefined) return runtimeCall(frame, statement, call);
    checkNesting(frame, call);
    const std::uint32_t over = statement.guarded ? skip(frame, statement) : 0;
    Frame inner;
    inner.function = &callee;
    inner.caller = &frame;
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
      pass(frame, inner, statement, *call.arguments[k], callee.parameters[k]);
    for (std::size_t k = 0; k < call.results.size(); ++k)
      bindResult(frame, inner, *call.results[k], callee.results[k]);
    body(inner);
    for (std::size_t k = 0; k < call.results.size(); ++k)
      fetchResult(frame, inner, statement, *call.results[k], callee.results[k]);
    if (statement.guarded) builder_.code().instructions[over].target = builder_.pc();
  }

  /// Calls are inlined where they stand: neither without end nor beyond this program's own stack.
  void checkNesting(const Frame& frame, const Call& call) {
    unsigned depth = 0;
    for (const Frame* up = &frame; up != nullptr; up = up->caller, ++depth) {
      if (up->function == call.function) {
        builder_.fail(call.at,
                      "'" + call.function->name + "' calls itself; recursion is not supported");
      }
    }
    if (depth > kMaxDepth) {
      builder_.fail(call.at, "'" + call.function->name + "' is called through more than " +
                                 std::to_string(kMaxDepth) + " functions, each by the one before");
    }
    if (++calls_ > kMaxInstructions) {
      builder_.fail(call.at, "'" + builder_.entry().name + "' makes more than " +
                                 std::to_string(kMaxInstructions) +
                                 " calls, those of the functions that it calls counted each time");
    }
  }

  void checkCounts(const Call& call) {
    const Function& callee = *call.function;
    if (call.arguments.size() != callee.parameters.size()) {
      builder_.fail(call.at, "'" + callee.name + "' is called with " +
                                 std::to_string(call.arguments.size()) + " arguments; expected " +
                                 std::to_string(callee.parameters.size()));
    }
    if (call.results.size() != callee.results.size()) {
      builder_.fail(call.at, "'" + callee.name + "' returns " +
                                 std::to_string(callee.results.size()) +
                                 " values; the call names " + std::to_string(call.results.size()));
    }
  }

  /// A guarded call: lanes off go around the inlined body.
  std::uint32_t skip(Frame& frame, const Statement& statement) {
    Statement branch = statement;
    branch.guardNegated = !statement.guardNegated;
    Decoding decoding(builder_, frame, branch);
    decoding.i.handler = &executeBranch;
    return decoding.emit(InstructionClass::Branch);
  }

  static bool isParameter(const Operand& operand) {
    return operand.kind == Operand::Kind::Variable &&
           operand.variable->space == VariableSpace::Parameter;
  }

  /// A .param argument is the callee's .param itself; a register or constant is moved.
  void pass(Frame& frame, Frame& inner, const Statement& statement, const Operand& actual,
            const Formal& formal) {
    if (formal.variable != nullptr && isParameter(actual)) {
      if (actual.variable->bytes < formal.variable->bytes || actual.offset != 0) {
        builder_.fail(actual.at, "'" + actual.variable->name + "' has " +
                                     std::to_string(actual.variable->bytes) +
                                     " bytes; parameter '" + formal.variable->name + "' expects " +
                                     std::to_string(formal.variable->bytes));
      }
      builder_.parameterPlace(frame, *actual.variable, actual.at);
      inner.parameters[formal.variable] = frame.parameters[actual.variable];
      return;
    }
    const Statement plain = unguarded(statement);
    Decoding decoding(builder_, frame, plain);
    if (formal.variable != nullptr) {
      const Type type = formal.variable->type;
      if (formal.variable->count != 1 || bytesOf(type) < 4)
        builder_.fail(actual.at, "expected a .param variable for '" + formal.variable->name + "'");
      const FramePlace& place = builder_.parameterPlace(inner, *formal.variable, actual.at);
      decoding.i.handler = &executeFrameStore;
      decoding.i.bytesPerLane = static_cast<std::uint8_t>(bytesOf(type));
      decoding.i.wideData = bytesOf(type) == 8;
      decoding.i.vector[0] = place.words[0];
      if (place.words.size() > 1) decoding.i.vector[1] = place.words[1];
      for (const RegisterId id : place.ids) decoding.writes(id);
      decoding.i.a = decoding.source(actual, type);
    } else {
      const Type type = inner.function->registers[formal.reg].type;
      const RegisterPlace& place = builder_.place(inner, formal.reg, actual.at);
      if (type == Type::Pred) builder_.fail(actual.at, "a predicate parameter is not supported");
      decoding.i.handler = laneTable().integer(IntegerOp::Move, type);
      decoding.require(decoding.i.handler);
      decoding.i.a = decoding.source(actual, type);
      decoding.i.d = place.row;
      decoding.writes(place.id);
    }
    decoding.emit(InstructionClass::Integer);
  }

  static Statement unguarded(const Statement& statement) {
    Statement plain = statement;
    plain.guarded = false;
    return plain;
  }

  void bindResult(Frame& frame, Frame& inner, const Operand& actual, const Formal& formal) {
    if (formal.variable == nullptr) return;
    if (!isParameter(actual))
      builder_.fail(actual.at,
                    "expected a .param variable for the result '" + formal.variable->name + "'");
    if (actual.variable->bytes < formal.variable->bytes)
      builder_.fail(actual.at, "'" + actual.variable->name + "' is smaller than the result '" +
                                   formal.variable->name + "'");
    builder_.parameterPlace(frame, *actual.variable, actual.at);
    inner.parameters[formal.variable] = frame.parameters[actual.variable];
  }

  void fetchResult(Frame& frame, Frame& inner, const Statement& statement, const Operand& actual,
                   const Formal& formal) {
    if (formal.variable != nullptr) return;
    const Type type = inner.function->registers[formal.reg].type;
    const Statement plain = unguarded(statement);
    Decoding decoding(builder_, frame, plain);
    const RegisterPlace place = builder_.place(inner, formal.reg, actual.at);
    if (type == Type::Pred) builder_.fail(actual.at, "a predicate result is not supported");
    decoding.i.handler = decoding.require(laneTable().integer(IntegerOp::Move, type));
    decoding.reads(place.id);
    decoding.i.a = place.row;
    decoding.i.d = decoding.destination(actual, type);
    decoding.emit(InstructionClass::Integer);
  }

  // vprintf and __assertfail are the library functions that compiled kernels reach.
  void runtimeCall(Frame& frame, const Statement& statement, const Call& call) {
    const std::string& name = call.function->name;
    Decoding decoding(builder_, frame, statement);
    if (name == "vprintf") {
      decoding.i.handler = &executePrintf;
      printOperands(frame, call, decoding);
      if (!call.results.empty() && isParameter(*call.results[0])) {
        const FramePlace& place =
            builder_.parameterPlace(frame, *call.results[0]->variable, call.at);
        decoding.i.d = place.words[0];
        decoding.i.flags = 1;
        decoding.writes(place.ids[0]);
      }
    } else if (name == "__assertfail") {
      decoding.i.handler = &executeAssertFail;
      decoding.i.wideBase = false;
      assertOperands(frame, call, decoding);
    } else {
      builder_.fail(
          call.at,
          "'" + name + "' is declared but not defined; only vprintf and __assertfail are known");
    }
    decoding.emit(InstructionClass::Integer);
  }

  /// Format and arguments: two words each, the upper ones 0 where addresses have 32 bits.
  void printOperands(Frame& frame, const Call& call, Decoding& decoding) {
    if (call.arguments.size() != 2 || !isParameter(*call.arguments[0]) ||
        !isParameter(*call.arguments[1]))
      builder_.fail(call.at, "vprintf; expected two .param variables: the format, the arguments");
    for (std::size_t k = 0; k < 2; ++k) {
      const FramePlace& place =
          builder_.parameterPlace(frame, *call.arguments[k]->variable, call.at);
      const bool wide = place.words.size() > 1;
      decoding.i.vector[2 * k] = place.words[0];
      decoding.i.vector[2 * k + 1] = wide ? place.words[1] : builder_.constant(0, false);
      decoding.reads(place.ids[0]);
      if (wide) decoding.reads(place.ids[1]);
    }
  }

  // Message, file, line: the low words of the addresses are enough, since addresses fit 32 bits.
  void assertOperands(Frame& frame, const Call& call, Decoding& decoding) {
    if (call.arguments.size() < 3) return;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!isParameter(*call.arguments[k])) return;
      decoding.i.vector[k] =
          builder_.parameterPlace(frame, *call.arguments[k]->variable, call.at).words[0];
    }
    decoding.i.elements = 3;
  }

  static constexpr unsigned kMaxDepth = 256;

  KernelBuilder& builder_;
  std::uint32_t calls_ = 0;
};

}  // namespace

std::unique_ptr<KernelCode> decodeKernel(const Ast& ast, const Function& entry) {
  KernelBuilder builder(ast, entry);
  builder.layOutParameters();
  builder.layOutShared();
  builder.layOutModuleLocals();
  KernelDecoder(builder).run();
  return builder.take();
}

}  // namespace fermata::ptx
