// Calls of functions that are declared but not defined, and that the executor provides.
#include <fermata/stimuli/ptx/kernel_decoding.h>

namespace fermata::ptx {

// Decodes a call of a library function that compiled kernels use.
void KernelDecoder::runtimeCall(Frame& frame, const Statement& statement, const Call& call) {
  const std::string& name = call.function->name;
  Decoding decoding(builder_, frame, statement);
  if (name == "vprintf") {
    decoding.i.handler = &executePrintf;
    printOperands(frame, call, decoding);
    if (!call.results.empty() && isParameter(*call.results[0])) {
      const FramePlace& place = builder_.parameterPlace(frame, *call.results[0]->variable, call.at);
      decoding.i.d = place.words[0];
      decoding.i.writesResult = true;
      decoding.writes(place.ids[0]);
    }
  } else if (name == "__assertfail") {
    decoding.i.handler = &executeAssertFail;
    decoding.i.wideBase = false;
    assertOperands(frame, call, decoding);
  } else if (name == "malloc" || name == "free") {
    heapOperands(frame, call, decoding, name == "malloc");
  } else {
    builder_.fail(
        call.at,
        "'{}' is declared but not defined; only vprintf, __assertfail, malloc and free are known",
        name);
  }
  decoding.emit(InstructionClass::Integer);
}

/// Takes a .param of one or two words into vector[first] and behind it. The upper word of a result
/// that has none is dropped, that of an argument is 0.
void KernelDecoder::wordOperand(Frame& frame, const Call& call, Decoding& decoding,
                                const Operand& operand, std::size_t first, bool writes) {
  const FramePlace& place = builder_.parameterPlace(frame, *operand.variable, call.at);
  decoding.i.vector[first] = place.words[0];
  decoding.i.vector[first + 1] = place.words.size() > 1 ? place.words[1]
                                 : writes               ? builder_.scratchRow(false)
                                                        : builder_.constant(0, false);
  for (const RegisterId id : place.ids) writes ? decoding.writes(id) : decoding.reads(id);
}

/// Takes the addresses of format and arguments.
void KernelDecoder::printOperands(Frame& frame, const Call& call, Decoding& decoding) {
  if (call.arguments.size() != 2 || !isParameter(*call.arguments[0]) ||
      !isParameter(*call.arguments[1]))
    builder_.fail(call.at, "vprintf; expected two .param variables: the format, the arguments");
  for (std::size_t k = 0; k < 2; ++k)
    wordOperand(frame, call, decoding, *call.arguments[k], 2 * k, false);
}

// Takes message, file and line. The low words of the addresses suffice, since addresses fit in 32
// bits.
void KernelDecoder::assertOperands(Frame& frame, const Call& call, Decoding& decoding) {
  if (call.arguments.size() < 3) return;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!isParameter(*call.arguments[k])) return;
    decoding.i.vector[k] =
        builder_.parameterPlace(frame, *call.arguments[k]->variable, call.at).words[0];
  }
  decoding.i.elements = 3;
}

/// Takes the size or the address, and the address that malloc returns, each in one or two words.
void KernelDecoder::heapOperands(Frame& frame, const Call& call, Decoding& decoding,
                                 bool isMalloc) {
  const std::size_t results = isMalloc ? 1 : 0;
  if (call.arguments.size() != 1 || !isParameter(*call.arguments[0]) ||
      call.results.size() != results || (isMalloc && !isParameter(*call.results[0]))) {
    builder_.fail(call.at, isMalloc ? "malloc; expected a .param size and a .param result"
                                    : "free; expected one .param address");
  }
  decoding.i.handler = isMalloc ? &executeMalloc : &executeFree;
  wordOperand(frame, call, decoding, *call.arguments[0], 0, false);
  if (isMalloc) wordOperand(frame, call, decoding, *call.results[0], 2, true);
}

}  // namespace fermata::ptx
