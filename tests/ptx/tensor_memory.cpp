#include "tests/ptx/tensor_memory.h"

namespace fermata::ptx::test {
namespace {

constexpr unsigned kThreads = 128;
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

/// Returns the words of a window and tensor memory, in whole turns of the CTA's threads.
void append(std::vector<std::uint32_t>& in, const std::vector<std::uint8_t>& window,
            std::size_t turns, const TensorWords& words) {
  const std::size_t first = in.size();
  in.resize(first + turns * kThreads);
  if (!window.empty()) std::memcpy(&in[first], window.data(), window.size());
  in.insert(in.end(), words.words.begin(), words.words.end());
}

std::string number(std::size_t value) {
  return std::to_string(value);
}

/// Returns code that copies the window to `tile`.
std::string fillTile(std::size_t turns) {
  if (turns == 0) return "mov.u32 %r1, 0; ";
  return "mov.u32 %r1, 0; W: mad.lo.u32 %r2, %r1, 128, %r90; mul.wide.u32 %rd1, %r2, 4; add.u64 "
         "%rd1, %rd1, %rd90; ld.global.b32 %r3, [%rd1]; mov.u32 %r4, tile; mad.lo.u32 %r4, %r2, 4, "
         "%r4; st.shared.b32 [%r4], %r3; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " +
         number(turns) + "; @%p1 bra W; ";
}

const std::string kSync = "barrier.cluster.arrive; barrier.cluster.wait; ";

/// Returns code that allocates, fills tensor memory, does `action`, stores tensor memory if asked
/// to, and frees it.
std::string bodyOf(const std::string& action, std::size_t turns, bool result, unsigned columns,
                   unsigned ctas) {
  const std::string group = ".cta_group::" + number(ctas) + ".sync.aligned";
  const std::size_t windowBytes = turns * kThreads * 4;
  const std::size_t tensorBytes = std::size_t{TensorWords::kLanes} * TensorWords::kColumns * 4;
  std::string body =
      ".reg .b32 %v<200>; mov.u32 %r12, %cluster_ctarank; mul.wide.u32 %rd7, %r12, " +
      number(windowBytes + tensorBytes) +
      "; add.u64 %rd90, %rd90, %rd7; mul.wide.u32 %rd7, %r12, " + number(tensorBytes) +
      "; add.u64 %rd91, %rd91, %rd7; " + fillTile(turns) +
      "mov.u32 %r5, slot; mov.u32 %r10, barrier; setp.lt.u32 %p2, %r90, 32; setp.eq.u32 %p3, "
      "%r90, 0; @%p3 mbarrier.init.shared.b64 [%r10], 1; @%p2 tcgen05.alloc" +
      group + ".shared::cta.b32 [%r5], " + number(columns) +
      "; bar.sync 0; ld.shared.u32 %r6, [%r5]; shr.u32 %r7, %r90, 5; shl.b32 %r7, %r7, 21; "
      "add.u32 %r7, %r7, %r6; add.u64 %rd8, %rd90, " +
      number(windowBytes) + "; ";
  body += overColumns("F", "%rd8", columns,
                      eight([](const std::string& k, const std::string& at) {
                        return "ld.global.b32 %v" + k + ", [%rd9+" + at + "]; ";
                      }) + "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r9], " +
                          kValues + "; ");
  body += "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; " +
          (ctas == 1 ? "" : kSync) + action;
  if (result)
    body +=
        "bar.sync 0; " + overColumns("G", "%rd91", columns,
                                     "tcgen05.ld.sync.aligned.32x32b.x8.b32 " + kValues +
                                         ", [%r9]; tcgen05.wait::ld.sync.aligned; " +
                                         eight([](const std::string& k, const std::string& at) {
                                           return "st.global.b32 [%rd9+" + at + "], %v" + k + "; ";
                                         }));
  return body + (ctas == 1 ? "" : kSync) + "bar.sync 0; @%p2 tcgen05.dealloc" + group +
         ".b32 %r6, " + number(columns) + "; @%p2 tcgen05.relinquish_alloc_permit" + group + "; ";
}

std::string itemsOf(std::size_t turns) {
  return ".shared .align 1024 .b8 tile[" + number(std::max<std::size_t>(turns * kThreads * 4, 4)) +
         "]; .shared .align 4 .b32 slot; .shared .align 8 .b64 barrier;";
}

}  // namespace

std::string byOneThread(const std::string& what, bool pair) {
  if (!pair)
    return "setp.ne.u32 %p8, %r90, 0; @%p8 bra E; " + what +
           "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r10]; E: " +
           kAwaitTensor;
  return ".reg .b16 %h<2>; mov.b16 %h1, 3; or.b32 %r13, %r90, %r12; setp.ne.u32 %p8, %r13, 0; "
         "@%p8 bra E; " +
         what +
         "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 "
         "[%r10], %h1; E: " +
         kAwaitTensor;
}

std::vector<std::uint32_t> runOnTensorMemory(const std::string& action,
                                             const std::vector<std::uint8_t>& window,
                                             TensorWords& words, bool result, std::size_t outCount,
                                             unsigned columns) {
  const std::size_t turns = (window.size() + 4 * kThreads - 1) / (4 * kThreads);
  std::vector<std::uint32_t> in;
  append(in, window, turns, words);
  RunOptions options;
  options.block = {kThreads, 1, 1};
  std::vector<std::uint32_t> out =
      runBody<std::uint32_t>(bodyOf(action, turns, result, columns, 1), in,
                             result ? words.words.size() : outCount, options, itemsOf(turns));
  if (result) words.words = out;
  return out;
}

void runOnTensorMemories(const std::string& action,
                         const std::vector<std::vector<std::uint8_t>>& windows,
                         std::vector<TensorWords>& words, unsigned columns) {
  const std::size_t turns = (windows[0].size() + 4 * kThreads - 1) / (4 * kThreads);
  const auto ctas = static_cast<unsigned>(windows.size());
  std::vector<std::uint32_t> in;
  for (unsigned cta = 0; cta < ctas; ++cta) append(in, windows[cta], turns, words[cta]);
  RunOptions options;
  options.block = {kThreads, 1, 1};
  options.grid = options.cluster.emplace(Dim3{ctas, 1, 1});
  const std::size_t each = words[0].words.size();
  const auto out = runBody<std::uint32_t>(bodyOf(action, turns, true, columns, ctas), in,
                                          ctas * each, options, itemsOf(turns));
  for (unsigned cta = 0; cta < ctas; ++cta)
    std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(cta * each), each,
                words[cta].words.begin());
}

}  // namespace fermata::ptx::test
