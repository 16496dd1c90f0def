// Helpers for the tests of the software hash.
#pragma once

#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/software_hash/rewrite.h>

#include "tests/support/refusals.h"

namespace fermata::software_hash::test {

using fermata::test::has;

/// The bit-vector XOR hashes of the paper's table 5 (van den Braak et al., 2016), each once, and
/// one hash of every other linear family.
extern const std::vector<std::string> kHashes;

HashRequest request(const std::string& text, bool reuse = true);

/// Returns the message of the InputError that `action` throws; "none" if it throws none.
template <class Action>
std::string errorOf(const Action& action) {
  return fermata::test::errorOf<InputError>(action);
}
std::size_t occurrences(const std::string& text, const std::string& part);

/// Returns a file of PTX 4.2 with 32-bit addresses.
std::string moduleText(const std::string& items);
/// Returns a file with one entry `k(.param .u32 in, .param .u32 out)` around `body`. Registers %p
/// %rs %r %rd %f %fd <60> are declared; %r50 = in, %r51 = out, %r52 = %tid.x, %r53 = 4 * %tid.x.
std::string kernelText(const std::string& body, const std::string& moduleItems = "");

Rewritten rewriteText(const std::string& text, const std::string& hash, bool reuse = true,
                      Lines lines = Lines::OneEach);

/// Runs the entry `k` of a text with one block; `in` holds 0, 1, 2 .. in 1024 words. Returns 512
/// words of `out`. `dynamic`: bytes of dynamic shared memory.
std::vector<std::uint32_t> run(const std::string& text, unsigned threads = 64,
                               std::uint32_t dynamic = 0);

}  // namespace fermata::software_hash::test
