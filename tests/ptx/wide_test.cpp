// Registers of 128 bits: moves, accesses of every space, atomics.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Words = std::vector<std::uint64_t>;

/// Runs `body` with 32 threads. %rd1 and %rd2 are two words of `in`, %rd3 their address, %rd4 that
/// of two words of `out`.
Words run(const std::string& body, const Words& in, const std::string& items = "") {
  return runBody<std::uint64_t>(
      ".reg .b128 %q<4>; .reg .b128 %one; mad.wide.u32 %rd3, %r90, 16, %rd90; mad.wide.u32 %rd4, "
      "%r90, 16, %rd91; ld.global.v2.u64 {%rd1, %rd2}, [%rd3];" +
          body,
      in, 64, {}, items);
}

Words numbers() {
  Words in(64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0x0123456789abcdefULL * (i + 3);
  return in;
}
Words swapped(Words words) {
  for (std::size_t i = 0; i < words.size(); i += 2) std::swap(words[i], words[i + 1]);
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(registers_of_128_bits)

BOOST_AUTO_TEST_CASE(are_moved_and_taken_apart) {
  const Words in = numbers();
  BOOST_TEST(run("mov.b128 %q0, {%rd2, %rd1}; mov.b128 %one, %q0; mov.b128 {%rd5, %rd6}, "
                 "%one;st.global.u64 [%rd4], %rd5; st.global.u64 [%rd4+8], %rd6;",
                 in) == swapped(in),
             tt::per_element());
}

BOOST_AUTO_TEST_CASE(go_through_every_space) {
  const Words in = numbers();
  for (const std::string space : {"shared", "local", "global", ""}) {
    const std::string variable = space.empty() ? "shared" : space;
    std::string body = "mov.u64 %rd5, there; ";
    if (space.empty()) body += "cvta.shared.u64 %rd5, %rd5; ";
    if (space != "local") body += "mad.wide.u32 %rd5, %r90, 16, %rd5; ";
    body += "ld.relaxed.gpu.global.b128 %q1, [%rd3]; st" + (space.empty() ? "" : "." + space) +
            ".b128 [%rd5], %q1; @%p1 mov.b128 %q1, {%rd3, %rd3}; ld" +
            (space.empty() ? "" : "." + space) +
            ".b128 %q2, [%rd5]; st.release.gpu.global.b128 [%rd4], %q2;";
    const std::string declaration = "." + variable + " .align 16 .b8 there[512];";
    const bool inside = space == "local";
    BOOST_TEST(run((inside ? declaration : "") + body, in, inside ? "" : declaration) == in,
               tt::per_element());
  }
}

// All lanes exchange at one address, in lane order: each gets the words of the lane before. The
// compare and swap stores only if both halves equal those of the last lane.
BOOST_AUTO_TEST_CASE(are_exchanged_at_once) {
  const Words in = numbers();
  for (const std::string space : {".shared", ".global", ""}) {
    std::string body = "mov.u64 %rd5, there; mov.b128 %q0, {%rd1, %rd2};";
    if (space.empty()) body += "cvta.shared.u64 %rd5, %rd5;";
    body += "atom" + space + ".exch.b128 %q1, [%rd5], %q0;";
    const std::string there =
        (space == ".global" ? ".global" : ".shared") + std::string(" .align 16 .b64 there[2];");
    Words before = in;
    std::rotate(before.begin(), before.end() - 2, before.end());
    before[0] = before[1] = 0;
    BOOST_TEST(run(body + "st.global.b128 [%rd4], %q1;", in, there) == before, tt::per_element());
    // Memory holds lane 31's numbers: lane 30 has one half of them, lane 31 both.
    Words wanted(64);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      wanted[2 * lane] = in[62];
      wanted[2 * lane + 1] = in[63];
    }
    BOOST_TEST(run(body + "setp.eq.u32 %p1, %r90, 30; mov.b64 %rd7, " + std::to_string(in[62]) +
                       "; selp.b64 %rd6, %rd7, %rd1, %p1; mov.b128 %q2, {%rd6, %rd2};mov.b128 %q3, "
                       "{%rd2, %rd1}; atom" +
                       space + ".cas.b128 %q1, [%rd5], %q2, %q3; st.global.b128 [%rd4], %q1;",
                   in, there) == wanted,
               tt::per_element());
    wanted.assign({in[63], in[62]});
    const Words last = run(body + "mov.b128 %q2, {%rd1, %rd2}; mov.b128 %q3, {%rd2, %rd1}; atom" +
                               space + ".relaxed.gpu.cas.b128 _, [%rd5], %q2, %q3; bar.sync 0; ld" +
                               space + ".b128 %q1, [%rd5]; st.global.b128 [%rd91], %q1;",
                           in, there);
    BOOST_TEST(Words(last.begin(), last.begin() + 2) == wanted, tt::per_element());
  }
}

BOOST_AUTO_TEST_CASE(are_refused_elsewhere) {
  const auto refuses = [](const std::string& statement, const std::string& why) {
    expect(parseError(kernelText(".reg .b128 %q<3>; " + statement)), {why});
  };
  BOOST_TEST(parseError(kernelText(".reg .b128 %q<3>; mov.b128 %q1, %q2;")) == "");
  refuses("add.u64 %q1, %q2, %q0;", "register '%q1' of type .b128; expected another type");
  refuses("mov.b64 %rd1, %q2;", "register '%q2' of type .b128");
  refuses("ld.global.b64 %q1, [%rd1];", "register '%q1' of type .b128");
  refuses("ld.global.b128 %rd1, [%rd1];", "expected a register of type .b128");
  refuses("ld.global.v2.b128 {%q1, %q2}, [%rd1];", "more than 16 bytes");
  refuses("mov.b128 %q1, {%r1, %r2};", "'%r1'");
  refuses("mov.b128 %q1, {%rd1, %rd2, %rd3};", "expected a register of type .b128");
  refuses("mov.b128 %rd1, %rd2;", "expected a register of type .b128");
  refuses("atom.global.add.b128 %q1, [%rd1], %q2;", "unsupported form 'atom.global.add.b128'");
  refuses("atom.global.cas.b128 %q1, [%rd1], {%rd1, %rd2}, %q2;",
          "expected a register of type .b128");
  refuses("atom.global.exch.b128 {%rd1, %rd2}, [%rd1], %q2;", "expected a register of type .b128");
  refuses("selp.b128 %q1, %q2, %q0, %p1;", "unsupported form 'selp.b128'");
  refuses(".shared .b128 there[2];", "unsupported '.b128' in a declaration");
  const std::string misaligned = errorOf([] {
    run("add.u64 %rd3, %rd3, 8; ld.global.b128 %q1, [%rd3]; st.global.b128 [%rd4], %q1;",
        numbers());
  });
  expect(misaligned, {"is misaligned; expected a multiple of 16"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
