// Functions that are called with a frame of their own instead of being inlined: those called by
// their address, and those that call themselves before they have returned.
#include <algorithm>

#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/kernel_decoding.h>
#include <fermata/stimuli/ptx/liveness.h>

namespace fermata::ptx {
namespace {

std::uint64_t bytesOfFormal(const Function& function, const Formal& formal) {
  return formal.variable != nullptr ? formal.variable->bytes
                                    : bytesOf(function.registers[formal.reg].type);
}

std::size_t wordsOfFormal(const Function& function, const Formal& formal) {
  return static_cast<std::size_t>((bytesOfFormal(function, formal) + 3) / 4);
}

bool sameSizes(const Function& a, const std::vector<Formal>& of, const Function& b,
               const std::vector<Formal>& other) {
  return std::equal(
      of.begin(), of.end(), other.begin(), other.end(),
      [&](const Formal& x, const Formal& y) { return bytesOfFormal(a, x) == bytesOfFormal(b, y); });
}

void takeAddresses(const Operand& operand, std::vector<const Function*>& taken) {
  if (operand.kind == Operand::Kind::Function) taken.push_back(operand.function);
  for (const Operand& element : operand.elements) takeAddresses(element, taken);
}

}  // namespace

bool fits(const Function& function, const Function& prototype) {
  return function.isDefined &&
         sameSizes(function, function.parameters, prototype, prototype.parameters) &&
         sameSizes(function, function.results, prototype, prototype.results);
}

bool isIndirectCall(const Statement& statement) {
  const auto& operands = statement.operands;
  return isCall(statement) && std::any_of(operands.begin(), operands.end(), [](const Operand& one) {
           return one.kind == Operand::Kind::Register;
         });
}

std::vector<const Function*> addressTaken(const Ast& ast) {
  std::vector<const Function*> taken;
  for (const auto& variable : ast.variables) {
    for (const Relocation& relocation : variable->relocations) {
      if (relocation.function != nullptr) taken.push_back(relocation.function);
    }
  }
  for (const auto& function : ast.functions) {
    for (const Statement& statement : function->statements) {
      if (isCall(statement)) continue;
      for (const Operand& operand : statement.operands) takeAddresses(operand, taken);
    }
  }
  const auto isEntry = [](const Function* one) { return one->isEntry; };  // launched, not called
  taken.erase(std::remove_if(taken.begin(), taken.end(), isEntry), taken.end());
  std::sort(taken.begin(), taken.end(),
            [](const Function* a, const Function* b) { return a->number < b->number; });
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  return taken;
}

std::uint32_t KernelDecoder::calledIndex(const Function& function) {
  std::vector<CalledFunction>& called = builder_.code().called;
  const auto found = std::find_if(called.begin(), called.end(), [&](const CalledFunction& each) {
    return each.function == &function;
  });
  if (found != called.end()) return static_cast<std::uint32_t>(found - called.begin());
  CalledFunction fresh;
  fresh.function = &function;
  called.push_back(fresh);
  return static_cast<std::uint32_t>(called.size() - 1);
}

/// Decodes all called functions. Each may add others, which are decoded after it.
void KernelDecoder::decodeCalled() {
  KernelCode& code = builder_.code();
  unsigned most = 0;
  for (std::uint32_t k = 0; k < code.called.size(); ++k) {
    decodeCalled(k);
    const CodeRange range{code.called[k].first, code.called[k].end};
    most = std::max(most, liveRegisters(code, range).most);
  }
  code.calledRegisters = most;
  code.registersNeeded += most;
  builder_.placeWideRowsOfFrames();
  for (const CalledFunction& each : code.called) {
    findReconvergence(code, {each.first, each.end});
    findNearLines(code, {each.first, each.end});
  }
}

void KernelDecoder::decodeCalled(std::uint32_t index) {
  KernelCode& code = builder_.code();
  const Function& function = *code.called[index].function;
  builder_.beginCalled();
  Frame frame;
  frame.function = &function;
  const std::uint32_t first = builder_.pc();
  std::vector<FramePlace> parameters, results;
  takeFormals(frame, function.parameters, parameters);
  takeFormals(frame, function.results, results);
  Statement edge;
  edge.at = function.at;
  edge.opcode = "call";
  Decoding prologue(builder_, frame, edge);
  prologue.i.handler = &executePrologue;
  prologue.i.call.callee = index;
  prologue.emit(InstructionClass::Integer);
  for (std::size_t k = 0; k < parameters.size(); ++k)
    moveFormal(frame, function.parameters[k], parameters[k], true);
  body(frame);
  for (std::size_t k = 0; k < results.size(); ++k)
    moveFormal(frame, function.results[k], results[k], false);
  edge.opcode = "ret";
  // The lanes of an atomic act one by one. An instruction behind it keeps this frame current until
  // the last lane has acted.
  if (code.instructions.back().operation == MemoryOperation::Atomic) {
    Decoding last(builder_, frame, edge);
    last.i.handler = &executeNothing;
    last.emit(InstructionClass::Branch);
  }
  const std::uint32_t end = builder_.pc();
  Decoding decoding(builder_, frame, edge);
  decoding.i.handler = &executeReturn;
  decoding.emit(InstructionClass::Branch);
  CalledFunction made = builder_.endCalled();
  made.function = &function;
  made.first = first;
  made.end = end;
  code.called[index] = made;
}

/// Appends to `places` the words of the formals, in their order. .param variables live in these
/// words.
void KernelDecoder::takeFormals(Frame& frame, const std::vector<Formal>& formals,
                                std::vector<FramePlace>& places) {
  for (const Formal& formal : formals) {
    if (formal.variable != nullptr) {
      places.push_back(builder_.parameterPlace(frame, *formal.variable, frame.function->at));
      continue;
    }
    places.push_back(newWords(wordsOfFormal(*frame.function, formal), frame.function->at));
  }
}

FramePlace KernelDecoder::newWords(std::size_t count, const Position& at) {
  FramePlace place;
  for (std::size_t word = 0; word < count; ++word) {
    const RegisterPlace reg = builder_.temporary(false, at);
    place.words.push_back(reg.row);
    place.ids.push_back(reg.id);
  }
  return place;
}

void KernelDecoder::wordAccess(Decoding& d, const FramePlace& place, std::uint64_t bytes,
                               bool isLoad) {
  d.i.handler = isLoad ? &executeFrameLoad : &executeFrameStore;
  d.i.bytesPerLane = d.i.registerBytes = static_cast<std::uint8_t>(bytes);
  d.i.wideData = bytes == 8;
  d.i.vector[0] = place.words[0];
  if (place.words.size() > 1) d.i.vector[1] = place.words[1];
  for (const RegisterId id : place.ids) isLoad ? d.reads(id) : d.writes(id);
}

/// Moves a formal that is a register from its words or to them.
void KernelDecoder::moveFormal(Frame& frame, const Formal& formal, const FramePlace& place,
                               bool toRegister) {
  if (formal.variable != nullptr) return;
  const Register& declared = frame.function->registers[formal.reg];
  if (declared.type == Type::Pred)
    builder_.fail(frame.function->at, "a predicate parameter is not supported");
  const RegisterPlace reg = builder_.place(frame, formal.reg, frame.function->at);
  Statement move;
  move.at = frame.function->at;
  move.opcode = "mov";
  Decoding decoding(builder_, frame, move);
  wordAccess(decoding, place, bytesOf(declared.type), toRegister);
  (toRegister ? decoding.i.d : decoding.i.a) = reg.row;
  toRegister ? decoding.writes(reg.id) : decoding.reads(reg.id);
  decoding.emit(InstructionClass::Integer);
}

/// Emits a call with a frame: copies of the arguments into the callee's frame, the call, copies of
/// the results out of the frame.
void KernelDecoder::framedCall(Frame& frame, const Statement& statement, const Call& call) {
  const Function& callee = *call.function;
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const Formal& formal = callee.parameters[k];
    const std::size_t words = wordsOfFormal(callee, formal);
    const FramePlace place = argumentWords(frame, statement, *call.arguments[k], callee, formal);
    copyWords(frame, statement, place, words, word, true);
    word += static_cast<std::uint32_t>(words);
  }
  Decoding decoding(builder_, frame, statement);
  KernelCode& code = builder_.code();
  decoding.i.handler = &executeCall;
  if (call.pointer == nullptr) {
    decoding.i.call.direct = true;
    decoding.i.call.callee = calledIndex(callee);
  } else {
    std::vector<std::uint32_t> table(builder_.ast().functions.size(), kNoFunction);
    for (const Function* target : call.targets) table[target->number] = calledIndex(*target);
    decoding.i.call.callee = static_cast<std::uint32_t>(code.callTargets.size());
    code.callTargets.push_back(std::move(table));
    const bool wide = bytesOf(decoding.registerOf(*call.pointer).type) == 8;
    decoding.i.wideBase = wide;
    decoding.i.a = decoding.source(*call.pointer, wide ? Type::B64 : Type::B32);
  }
  decoding.emit(InstructionClass::Branch);
  for (std::size_t k = 0; k < call.results.size(); ++k) {
    resultWords(frame, statement, *call.results[k], callee, callee.results[k], word);
    word += static_cast<std::uint32_t>(wordsOfFormal(callee, callee.results[k]));
  }
}

FramePlace KernelDecoder::argumentWords(Frame& frame, const Statement& statement,
                                        const Operand& actual, const Function& callee,
                                        const Formal& formal) {
  const std::uint64_t bytes = bytesOfFormal(callee, formal);
  if (isParameter(actual)) {
    if (actual.variable->bytes < bytes || actual.offset != 0) {
      builder_.fail(actual.at, "'{}' has {} bytes; the parameter expects {}", actual.variable->name,
                    actual.variable->bytes, bytes);
    }
    return builder_.parameterPlace(frame, *actual.variable, actual.at);
  }
  const Type type =
      formal.variable != nullptr ? formal.variable->type : callee.registers[formal.reg].type;
  if (type == Type::Pred || bytes != bytesOf(type))
    builder_.fail(actual.at, "expected a .param variable as this argument");
  const FramePlace place = newWords((bytes + 3) / 4, actual.at);
  const Statement plain = unguarded(statement);
  Decoding store(builder_, frame, plain);
  wordAccess(store, place, bytes, false);
  store.i.a = store.source(actual, type);
  store.emit(InstructionClass::Integer);
  return place;
}

void KernelDecoder::resultWords(Frame& frame, const Statement& statement, const Operand& actual,
                                const Function& callee, const Formal& formal,
                                std::uint32_t firstWord) {
  const std::uint64_t bytes = bytesOfFormal(callee, formal);
  const std::size_t words = wordsOfFormal(callee, formal);
  if (isParameter(actual)) {
    if (actual.variable->bytes < bytes)
      builder_.fail(actual.at, "'{}' is smaller than the result", actual.variable->name);
    const FramePlace place = builder_.parameterPlace(frame, *actual.variable, actual.at);
    return copyWords(frame, statement, place, words, firstWord, false);
  }
  if (formal.variable != nullptr || callee.registers[formal.reg].type == Type::Pred)
    builder_.fail(actual.at, "expected a .param variable for the result");
  const FramePlace place = newWords(words, actual.at);
  copyWords(frame, statement, place, words, firstWord, false);
  Decoding load(builder_, frame, statement);
  wordAccess(load, place, bytes, true);
  load.i.d = load.destination(actual, callee.registers[formal.reg].type);
  load.emit(InstructionClass::Integer);
}

void KernelDecoder::copyWords(Frame& frame, const Statement& statement, const FramePlace& place,
                              std::size_t words, std::uint32_t firstWord, bool isArgument) {
  for (std::size_t done = 0; done < words;) {
    Decoding copy(builder_, frame, statement);
    const std::size_t count = std::min(words - done, copy.i.vector.size());
    copy.i.handler = isArgument ? &executeArgument : &executeResult;
    copy.i.elements = static_cast<std::uint8_t>(count);
    copy.i.call.frameByte = static_cast<std::uint32_t>((firstWord + done) * kRowBytes);
    for (std::size_t k = 0; k < count; ++k) {
      copy.i.vector[k] = place.words[done + k];
      isArgument ? copy.reads(place.ids[done + k]) : copy.writes(place.ids[done + k]);
    }
    copy.emit(InstructionClass::Integer);
    done += count;
  }
}

}  // namespace fermata::ptx
