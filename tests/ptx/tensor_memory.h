// Kernels of one CTA that fill tensor memory from their input, do something and write tensor memory
// to their output.
#pragma once

#include <string>
#include <vector>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {

/// Tensor memory of a test: 512 columns of 128 lanes.
struct TensorWords {
  static constexpr unsigned kLanes = 128, kColumns = 512;
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kLanes * kColumns);
  std::uint32_t& at(unsigned lane, unsigned column) { return words[column * kLanes + lane]; }
};

/// Runs `action` in 128 threads, after the shared array `tile` has got `window` and tensor memory
/// the words. %r6 is the address of tensor memory, %r7 that of the warp's lanes, %r10 of an
/// mbarrier of one arrival, which is initialised. Registers %v<200> are declared. With `result`,
/// the words get what tensor memory holds afterwards; otherwise the output is returned.
std::vector<std::uint32_t> runOnTensorMemory(const std::string& action,
                                             const std::vector<std::uint8_t>& window,
                                             TensorWords& words, bool result,
                                             std::size_t outCount = 1, unsigned columns = 512);

/// Does it for a CTA or a pair of them, each with its window and words; the words get what tensor
/// memory holds afterwards. %r12 is the rank of the CTA.
void runOnTensorMemories(const std::string& action,
                         const std::vector<std::vector<std::uint8_t>>& windows,
                         std::vector<TensorWords>& words, unsigned columns = 512);

/// Waits for the mbarrier.
inline const std::string kAwaitTensor =
    "Q: mbarrier.test_wait.parity.shared.b64 %p9, [%r10], 0; @!%p9 bra Q; "
    "tcgen05.fence::after_thread_sync;";
/// Lets thread 0, of a pair that of the first CTA, do something behind which the mbarrier of each
/// CTA gets an arrival.
std::string byOneThread(const std::string& what, bool pair = false);

}  // namespace fermata::ptx::test
