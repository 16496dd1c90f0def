// Shared by the decoders of memory instructions.
#pragma once

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

/// Takes hints and memory-model qualifiers. They change nothing here, since one SM executes in
/// order; `observes` notes those that read what others may change.
void takeQualifiers(Decoding& d);
/// Takes the state space; Generic if none is named.
MemorySpace takeSpace(Decoding& d);
/// Takes the state space of an atomic: shared, global or generic.
MemorySpace takeAtomicSpace(Decoding& d);
/// Returns operand k. Throws InputError unless it is [base + offset].
const Operand& addressOperand(Decoding& d, std::size_t k);

}  // namespace fermata::ptx
