// What the decoders of memory instructions share.
#pragma once

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

/// Hints and memory-model qualifiers: one SM executes in order, so they change nothing here.
void takeQualifiers(Decoding& d);
/// Generic where none is named.
MemorySpace takeSpace(Decoding& d);
/// That of an atomic: shared, global or generic.
MemorySpace takeAtomicSpace(Decoding& d);
/// Operand k, which must be [base + offset].
const Operand& addressOperand(Decoding& d, std::size_t k);

}  // namespace fermata::ptx
