#include <fermata/stimuli/ptx/kernel_decoder.h>

#include <algorithm>

#include <fermata/stimuli/ptx/kernel_decoding.h>
#include <fermata/stimuli/ptx/liveness.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/row_packing.h>
#include <fermata/stimuli/ptx/short_branches.h>

namespace fermata::ptx {
namespace {

bool isMove(const Statement& statement) {
  return statement.opcode.substr(0, 4) == "mov.";
}

void markRead(const Operand& operand, std::vector<bool>& read) {
  if (operand.kind == Operand::Kind::Register) read[operand.index] = true;
  for (const Operand& element : operand.elements) markRead(element, read);
}

/// Returns, by register, whether something reads it. Registers that an instruction writes count as
/// read, except the results of mov.
std::vector<bool> readRegisters(const Function& function) {
  std::vector<bool> read(function.registers.size(), false);
  for (const Statement& statement : function.statements) {
    if (statement.guarded) read[statement.guard] = true;
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
      const Operand& operand = statement.operands[k];
      if (k > 0 || !isMove(statement) || operand.kind != Operand::Kind::Register)
        markRead(operand, read);
    }
  }
  return read;
}

/// Returns the parameters whose address the function takes and uses. Such a parameter is copied to
/// the stack, and its address is one of local memory (PTX ISA, mov). Compilers that do not optimise
/// take the address of every struct; a parameter whose address nothing reads stays in registers.
std::vector<const Variable*> addressedParameters(const Function& function) {
  std::vector<const Variable*> found;
  const std::vector<bool> read = readRegisters(function);
  for (const Statement& statement : function.statements) {
    if (!isMove(statement) || statement.operands.size() != 2) continue;
    const Operand& to = statement.operands[0];
    const Variable* variable = statement.operands[1].variable;
    const bool used = to.kind != Operand::Kind::Register || read[to.index];
    const bool formal =
        std::any_of(function.parameters.begin(), function.parameters.end(),
                    [&](const Formal& f) { return variable != nullptr && f.variable == variable; });
    if (used && formal && std::find(found.begin(), found.end(), variable) == found.end())
      found.push_back(variable);
  }
  return found;
}

/// Puts the instructions in this order.
template <class T>
void reorder(std::vector<T>& all, const std::vector<std::uint32_t>& order) {
  std::vector<T> before = std::move(all);
  all.clear();
  all.reserve(before.size());
  for (const std::uint32_t pc : order) all.push_back(std::move(before[pc]));
}

/// Notes what instructions are by those around them.
void complete(KernelCode& code) {
  markUnread(code);
  findReconvergence(code, {0, code.entryEnd});
  findNearLines(code, {0, code.entryEnd});
}

/// Lowers the code and puts it in the order of the machine.
MachineCode lowered(KernelCode& code) {
  LoweredCode made = lower(code);
  reorder(code.instructions, made.order);
  reorder(code.statics, made.order);
  reorder(code.texts, made.order);
  const auto accumulators = std::move(code.accumulators);
  code.accumulators.clear();
  for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
    code.statics[pc].pc = pc;
    const auto found = accumulators.find(made.order[pc]);
    if (found != accumulators.end()) code.accumulators[pc] = found->second;
  }
  return std::move(made.machine);
}

/// Makes short branches predicates, and lowers. Registers are estimated without predicates: of 121
/// entries, 76 are within 15 % of ptxas's for 8.0 with them, 86 without (results/silicon/registers.csv).
MachineCode withPredicates(KernelCode& code) {
  if (!hasShortBranches(code)) return lowered(code);
  const MachineCode branches = lower(code).machine;
  predicateShortBranches(code);
  complete(code);
  MachineCode made = lowered(code);
  made.registersPerThread = branches.registersPerThread;
  made.spilled = branches.spilled;
  return made;
}

}  // namespace

void KernelDecoder::run(MachineCode* machine) {
  Frame frame;
  frame.function = &builder_.entry();
  frame.isEntry = true;
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
  code.entryEnd = builder_.pc();
  // Blocks with called functions keep their order: lanes may be in several at once.
  const bool apart = !code.called.empty();
  if (!apart) complete(code);
  if (machine != nullptr && !apart) *machine = withPredicates(code);
  const LiveRegisters live = liveRegisters(code, {0, code.entryEnd});
  code.registersNeeded = live.most + Kernel::kReservedRegisters;
  packRows(code, live);
  if (!apart) return;
  decodeCalled();
  complete(code);
  if (machine != nullptr) *machine = lowered(code);
}

void KernelDecoder::body(Frame& frame) {
  const Function& function = *frame.function;
  const auto addressed =
      frame.isEntry ? std::vector<const Variable*>{} : addressedParameters(function);
  builder_.enterLocals(frame, addressed);
  for (const Variable* variable : addressed) copyToLocal(frame, *variable);
  std::vector<std::uint32_t> pcs;
  pcs.reserve(function.statements.size() + 1);
  for (const Statement& statement : function.statements) {
    pcs.push_back(builder_.pc());
    if (statement.opcode[0] == '.') continue;  // a directive that a label names
    if (isCall(statement)) {
      call(frame, statement);
    } else {
      Decoding decoding(builder_, frame, statement);
      decodeStatement(decoding);
    }
  }
  pcs.push_back(builder_.pc());
  KernelCode& code = builder_.code();
  const auto pcOf = [&](std::uint32_t label) { return pcs[function.labels[label].statement]; };
  for (const auto& [pc, label] : frame.branches) code.instructions[pc].branch.target = pcOf(label);
  for (const std::uint32_t table : frame.tables) {
    for (std::uint32_t& target : code.branchTargets[table]) target = pcOf(target);
  }
  for (const std::uint32_t pc : frame.returns) code.instructions[pc].branch.target = builder_.pc();
  builder_.leaveLocals(frame);
}

void KernelDecoder::copyToLocal(Frame& frame, const Variable& parameter) {
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
    const std::uint64_t at = frame.locals.at(&parameter) + 4 * word;
    if (const auto base = builder_.localBase(frame, parameter, true); base) {
      decoding.i.a = base->row;
      decoding.i.offset = static_cast<std::int64_t>(at);
      decoding.reads(base->id);
    } else {
      decoding.i.a = builder_.constant(at, true);
    }
    decoding.i.vector[0] = place.words[word];
    decoding.reads(place.ids[word]);
    decoding.emit(InstructionClass::Memory);
  }
}

KernelDecoder::Call KernelDecoder::parts(const Frame& frame, const Statement& statement) {
  Call call;
  for (const Operand& operand : statement.operands) {
    const bool isList = operand.kind == Operand::Kind::List;
    const bool named = call.function != nullptr || call.pointer != nullptr;
    if (operand.kind == Operand::Kind::Function && !named) {
      call.function = operand.function;
      call.at = operand.at;
    } else if (operand.kind == Operand::Kind::Register && !named) {
      call.pointer = &operand;
      call.at = operand.at;
    } else if (isList && (named || call.results.empty())) {
      auto& list = named ? call.arguments : call.results;
      if (!list.empty()) builder_.fail(operand.at, "a third list in a call");
      for (const Operand& element : operand.elements) list.push_back(&element);
    } else if (operand.kind == Operand::Kind::Label && call.pointer != nullptr) {
      indirectParts(frame, operand, call);
    } else {
      builder_.fail(operand.at,
                    "unexpected operand of a call; expected (results), function, (arguments)");
    }
  }
  if (call.pointer != nullptr && call.function == nullptr)
    builder_.fail(call.at, "indirect call without a .callprototype or .calltargets");
  if (call.function == nullptr) builder_.fail(statement.at, "a call without a function");
  return call;
}

/// Finds the functions that an indirect call may reach: those that fit the prototype or, if the
/// label lists functions, those of the list that fit.
void KernelDecoder::indirectParts(const Frame& frame, const Operand& label, Call& call) {
  const Function& caller = *frame.function;
  const std::size_t at = caller.labels[label.index].statement;
  const Statement* named = at < caller.statements.size() ? &caller.statements[at] : nullptr;
  const bool listed = named != nullptr && named->opcode == ".calltargets";
  if (!listed && (named == nullptr || named->opcode != ".callprototype"))
    builder_.fail(label.at, "expected a label of .callprototype or .calltargets");
  call.function = named->operands[0].function;
  if (call.function == nullptr) builder_.fail(named->operands[0].at, "expected a function");
  if (!listed) {
    for (const Function* function : builder_.ast().addressTaken) {
      if (fits(*function, *call.function)) call.targets.push_back(function);
    }
    return;
  }
  for (const Operand& operand : named->operands) {
    if (operand.function == nullptr || operand.function->isEntry)
      builder_.fail(operand.at, "expected a function");
    if (fits(*operand.function, *call.function)) call.targets.push_back(operand.function);
  }
}

void KernelDecoder::call(Frame& frame, const Statement& statement) {
  if (statement.opcode != "call" && statement.opcode != "call.uni") {
    builder_.fail(statement.at, "unsupported form '{}'", statement.opcode);
  }
  const Call call = parts(frame, statement);
  const Function& callee = *call.function;
  if (callee.isEntry) builder_.fail(call.at, "'{}' is an entry; expected a .func", callee.name);
  checkCounts(call);
  if (call.pointer != nullptr) return framedCall(frame, statement, call);
  if (!callee.isDefined) return runtimeCall(frame, statement, call);
  if (isRecursive(frame, callee)) return framedCall(frame, statement, call);
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
  if (statement.guarded) builder_.code().instructions[over].branch.target = builder_.pc();
}

/// True if the function is recursive: it is being inlined where the call is. It, and the functions
/// through which it calls itself, are called with frames from then on. Otherwise functions that
/// call each other would be inlined in every order.
bool KernelDecoder::isRecursive(const Frame& frame, const Function& function) {
  if (recursive_.count(&function) != 0) return true;
  const Frame* up = &frame;
  while (up != nullptr && up->function != &function) up = up->caller;
  if (up == nullptr) return false;
  for (const Frame* each = &frame; each != up; each = each->caller)
    recursive_.insert(each->function);
  recursive_.insert(&function);
  return true;
}

/// Throws InputError if calls nest deeper than this program's own stack allows, or are too many.
void KernelDecoder::checkNesting(const Frame& frame, const Call& call) {
  unsigned depth = 0;
  for (const Frame* up = &frame; up != nullptr; up = up->caller) ++depth;
  if (depth > kMaxDepth) {
    builder_.fail(call.at, "'{}' is called through more than {} functions, each by the one before",
                  call.function->name, kMaxDepth);
  }
  if (++calls_ > kMaxInstructions) {
    builder_.fail(
        call.at,
        "'{}' makes more than {} calls, those of the functions that it calls counted each time",
        builder_.entry().name, kMaxInstructions);
  }
}

void KernelDecoder::checkCounts(const Call& call) {
  const Function& callee = *call.function;
  if (call.arguments.size() != callee.parameters.size()) {
    builder_.fail(call.at, "'{}' is called with {} arguments; expected {}", callee.name,
                  call.arguments.size(), callee.parameters.size());
  }
  if (call.results.size() != callee.results.size()) {
    builder_.fail(call.at, "'{}' returns {} values; the call names {}", callee.name,
                  callee.results.size(), call.results.size());
  }
}

/// Emits the branch with which the lanes that a guarded call excludes go around the inlined body.
std::uint32_t KernelDecoder::skip(Frame& frame, const Statement& statement) {
  Statement branch = statement;
  branch.guardNegated = !statement.guardNegated;
  Decoding decoding(builder_, frame, branch);
  decoding.i.handler = &executeBranch;
  return decoding.emit(InstructionClass::Branch);
}

/// Passes an argument: a .param becomes the callee's .param itself, a register or constant is
/// moved.
void KernelDecoder::pass(Frame& frame, Frame& inner, const Statement& statement,
                         const Operand& actual, const Formal& formal) {
  if (formal.variable != nullptr && isParameter(actual)) {
    if (actual.variable->bytes < formal.variable->bytes || actual.offset != 0) {
      builder_.fail(actual.at, "'{}' has {} bytes; parameter '{}' expects {}",
                    actual.variable->name, actual.variable->bytes, formal.variable->name,
                    formal.variable->bytes);
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
      builder_.fail(actual.at, "expected a .param variable for '{}'", formal.variable->name);
    const FramePlace& place = builder_.parameterPlace(inner, *formal.variable, actual.at);
    wordAccess(decoding, place, bytesOf(type), false);
    decoding.i.a = decoding.source(actual, type);
  } else {
    const Type type = inner.function->registers[formal.reg].type;
    const RegisterPlace& place = builder_.place(inner, formal.reg, actual.at);
    if (type == Type::Pred) builder_.fail(actual.at, "a predicate parameter is not supported");
    decoding.i.handler = decoding.require(regularHandler("mov", type));
    decoding.i.a = decoding.source(actual, type);
    decoding.i.d = place.row;
    decoding.writes(place.id);
  }
  decoding.emit(InstructionClass::Integer);
}

Statement KernelDecoder::unguarded(const Statement& statement) {
  Statement plain = statement;
  plain.guarded = false;
  return plain;
}

void KernelDecoder::bindResult(Frame& frame, Frame& inner, const Operand& actual,
                               const Formal& formal) {
  if (formal.variable == nullptr) return;
  if (!isParameter(actual))
    builder_.fail(actual.at, "expected a .param variable for the result '{}'",
                  formal.variable->name);
  if (actual.variable->bytes < formal.variable->bytes)
    builder_.fail(actual.at, "'{}' is smaller than the result '{}'", actual.variable->name,
                  formal.variable->name);
  builder_.parameterPlace(frame, *actual.variable, actual.at);
  inner.parameters[formal.variable] = frame.parameters[actual.variable];
}

void KernelDecoder::fetchResult(Frame& frame, Frame& inner, const Statement& statement,
                                const Operand& actual, const Formal& formal) {
  if (formal.variable != nullptr) return;
  const Type type = inner.function->registers[formal.reg].type;
  const Statement plain = unguarded(statement);
  Decoding decoding(builder_, frame, plain);
  const RegisterPlace place = builder_.place(inner, formal.reg, actual.at);
  if (type == Type::Pred) builder_.fail(actual.at, "a predicate result is not supported");
  decoding.i.handler = decoding.require(regularHandler("mov", type));
  decoding.reads(place.id);
  decoding.i.a = place.row;
  decoding.i.d = decoding.destination(actual, type);
  decoding.emit(InstructionClass::Integer);
}

std::unique_ptr<KernelCode> decodeKernel(const Ast& ast, const Function& entry,
                                         MachineCode* machine) {
  KernelBuilder builder(ast, entry);
  builder.layOutParameters();
  builder.layOutShared();
  builder.layOutModuleLocals();
  KernelDecoder(builder).run(machine);
  return builder.take();
}

}  // namespace fermata::ptx
