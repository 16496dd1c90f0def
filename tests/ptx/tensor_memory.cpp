#include "tests/ptx/tensor_memory.h"

namespace fermata::ptx::test {
namespace {

const std::string kValues = "{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}";

/// Calls text(k) for the eight registers of a turn.
template <class Text>
std::string eight(Text text) {
  std::string all;
  for (unsigned k = 0; k < 8; ++k) all += text(std::to_string(k), std::to_string(512 * k));
  return all;
}

/// Returns a loop over columns, eight at a time: %r9 is their address, %rd9 + 512 k that of the
/// word of this thread and column k in a buffer at `base`.
std::string overColumns(const std::string& label, const std::string& base, unsigned columns,
                        const std::string& body) {
  return "mov.u32 %r8, 0; " + label +
         ": add.u32 %r9, %r7, %r8; mad.lo.u32 %r11, %r8, 128, %r90; mul.wide.u32 %rd9, %r11, 4; "
         "add.u64 %rd9, %rd9, " +
         base + "; " + body + "add.u32 %r8, %r8, 8; setp.lt.u32 %p1, %r8, " +
         std::to_string(columns) + "; @%p1 bra " + label + "; ";
}

}  // namespace

std::string byOneThread(const std::string& what) {
  return "setp.ne.u32 %p8, %r90, 0; @%p8 bra E; " + what +
         "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r10]; E: " +
         kAwaitTensor;
}

std::vector<std::uint32_t> runOnTensorMemory(const std::string& action,
                                             const std::vector<std::uint8_t>& window,
                                             TensorWords& words, bool result, std::size_t outCount,
                                             unsigned columns) {
  constexpr unsigned kThreads = 128;
  const std::size_t turns = (window.size() + 4 * kThreads - 1) / (4 * kThreads);
  std::vector<std::uint32_t> in(turns * kThreads);
  if (!window.empty()) std::memcpy(in.data(), window.data(), window.size());
  in.insert(in.end(), words.words.begin(), words.words.end());
  std::string body = ".reg .b32 %v<200>; mov.u32 %r1, 0; ";
  if (turns != 0)
    body +=
        "W: mad.lo.u32 %r2, %r1, 128, %r90; mul.wide.u32 %rd1, %r2, 4; add.u64 %rd1, %rd1, %rd90; "
        "ld.global.b32 %r3, [%rd1]; mov.u32 %r4, tile; mad.lo.u32 %r4, %r2, 4, %r4; st.shared.b32 "
        "[%r4], %r3; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " +
        std::to_string(turns) + "; @%p1 bra W; ";
  body +=
      "mov.u32 %r5, slot; mov.u32 %r10, barrier; setp.lt.u32 %p2, %r90, 32; setp.eq.u32 %p3, "
      "%r90, 0; @%p3 mbarrier.init.shared.b64 [%r10], 1; @%p2 "
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], " +
      std::to_string(columns) +
      "; bar.sync 0; ld.shared.u32 %r6, [%r5]; shr.u32 %r7, %r90, 5; shl.b32 %r7, %r7, 21; "
      "add.u32 %r7, %r7, %r6; add.u64 %rd8, %rd90, " +
      std::to_string(turns * kThreads * 4) + "; ";
  body += overColumns("F", "%rd8", columns,
                      eight([](const std::string& k, const std::string& at) {
                        return "ld.global.b32 %v" + k + ", [%rd9+" + at + "]; ";
                      }) + "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r9], " +
                          kValues + "; ");
  body += "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; " + action;
  if (result)
    body +=
        "bar.sync 0; " + overColumns("G", "%rd91", columns,
                                     "tcgen05.ld.sync.aligned.32x32b.x8.b32 " + kValues +
                                         ", [%r9]; tcgen05.wait::ld.sync.aligned; " +
                                         eight([](const std::string& k, const std::string& at) {
                                           return "st.global.b32 [%rd9+" + at + "], %v" + k + "; ";
                                         }));
  body += "bar.sync 0; @%p2 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r6, " +
          std::to_string(columns) +
          "; @%p2 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ";
  RunOptions options;
  options.block = {kThreads, 1, 1};
  const std::string items = ".shared .align 1024 .b8 tile[" +
                            std::to_string(std::max<std::size_t>(turns * kThreads * 4, 4)) +
                            "]; .shared .align 4 .b32 slot; .shared .align 8 .b64 barrier;";
  std::vector<std::uint32_t> out =
      runBody<std::uint32_t>(body, in, result ? words.words.size() : outCount, options, items);
  if (result) words.words = out;
  return out;
}

}  // namespace fermata::ptx::test
