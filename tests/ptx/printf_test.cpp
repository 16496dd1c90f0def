// printf in kernels.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

const std::string kPrototype =
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n";

std::string bytes(const std::string& text) {
  std::string list;
  for (const char c : text) list += std::to_string(static_cast<unsigned char>(c)) + ", ";
  return "[" + std::to_string(text.size() + 1) + "] = {" + list + "0};\n";
}

struct Printed {
  std::string text, error;
  std::uint32_t result = 0;  ///< vprintf's result in the first thread
};

/// Prints `format` in each thread. `store` fills the arguments at [%rd1+..]; %r1 is the thread,
/// `word` and `empty` are strings.
Printed print(const std::string& format, const std::string& store, unsigned threads = 1,
              const std::string& guard = "") {
  Printed printed;
  ExecutorOptions options;
  options.print = [&](std::string_view text) { printed.text += text; };
  Bench bench(
      kernelText(
          ".local .align 8 .b8 arguments[64]; mov.u64 %rd1, arguments; cvta.local.u64 %rd1, %rd1; "
          "mov.u32 %r1, %r90;" +
              store +
              "mov.u64 %rd2, format; cvta.global.u64 %rd2, %rd2; mov.u32 %r2, 99;{ .param .b64 p; "
              "st.param.b64 [p], %rd2; .param .b64 q; st.param.b64 [q], %rd1; .param .b32 v; " +
              guard +
              "call.uni (v), vprintf, (p, q); ld.param.b32 %r2, [v]; }mad.wide.u32 %rd3, %r92, 4, "
              "%rd91; st.global.u32 [%rd3], %r2;",
          kPrototype + ".global .align 1 .b8 format" + bytes(format) + ".global .align 1 .b8 word" +
              bytes("fermata") + ".global .align 1 .b8 empty" + bytes("") +
              ".global .align 4 .b8 open[4] = {97, 98, 99, 100};\n"),
      "k", options);
  const std::uint64_t out = bench.output<std::uint32_t>(threads);
  bench.launch.block.x = threads;
  printed.error = errorOf([&] { bench.run(); });
  if (printed.error.empty()) BOOST_TEST(bench.executor.printfCalls() <= threads);
  printed.result = bench.values<std::uint32_t>(out, 1)[0];
  return printed;
}

std::string words(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k)
    text += "st.u32 [%rd1+" + std::to_string(4 * k) + "], " + values[k] + ";";
  return text;
}
std::string wide(const std::string& value) {
  return "mov.b64 %rd5, " + value + "; st.u64 [%rd1], %rd5;";
}
std::string real(const std::string& bits) {
  return "mov.f64 %fd1, " + bits + "; st.f64 [%rd1], %fd1;";
}
std::string string(const std::string& name) {
  return "mov.u64 %rd5, " + name + "; cvta.global.u64 %rd5, %rd5; st.u64 [%rd1], %rd5;";
}

struct Form {
  std::string format, store, text;
  std::uint32_t arguments = 1;
};
std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << form.format;
}

const std::vector<Form> kForms = {
    {"plain, 100%% \t\"text\"\n", "", "plain, 100% \t\"text\"\n", 0},
    {"", "", "", 0},
    {"[%d]", words({"-7"}), "[-7]"},
    {"[%5i|%-5d|%05d|%+d|% d]", words({"42", "43", "44", "45", "46"}),
     "[   42|43   |00044|+45| 46]", 5},
    {"[%.3d|%8.3d|%-8.3d|%08d]", words({"7", "-7", "7", "-7"}), "[007|    -007|007     |-0000007]",
     4},
    {"%u %u", words({"-1", "0"}), "4294967295 0", 2},
    {"%x %X %#x %o %#o", words({"48879", "48879", "255", "8", "8"}), "beef BEEF 0xff 10 010", 5},
    {"%hhd %hhu %hd %hu", words({"0x1ff", "0x1ff", "0x1ffff", "0x1ffff"}), "-1 255 -1 65535", 4},
    {"%c%c%3c|%-3c|", words({"72", "105", "33", "33"}), "Hi  !|!  |", 4},
    {"%ld", wide("-5000000000"), "-5000000000"},
    {"%lld", wide("-5000000000"), "-5000000000"},
    {"%lu", wide("-1"), "18446744073709551615"},
    {"%llx", wide("0x123456789abcdef"), "123456789abcdef"},
    {"%zu %jd %td",
     "mov.b64 %rd5, 5000000000; st.v2.u64 [%rd1], {%rd5, %rd5}; st.u64 [%rd1+16], %rd5;",
     "5000000000 5000000000 5000000000", 3},
    {"%d %lld %d", words({"1", "77", "0x89abcdef", "0x1234567", "3"}), "1 81985529216486895 3", 3},
    {"%f", real("0d3FF8000000000000"), "1.500000"},
    {"%.2f", real("0d4005BF0A8B145769"), "2.72"},
    {"%10.3e", real("0d40FE240C9FBE76C9"), " 1.235e+05"},
    {"%g", real("0d3F1A36E2EB1C432D"), "0.0001"},
    {"%G", real("0d3E112E0BE826D695"), "1E-09"},
    {"%a", real("0d4024000000000000"), "0x1.4p+3"},
    {"%lf", real("0d4024000000000000"), "10.000000"},
    {"%f %F", "mov.f64 %fd1, 0d7FF0000000000000; st.v2.f64 [%rd1], {%fd1, %fd1};", "inf INF", 2},
    {"%#.0f|%+.1f", "mov.f64 %fd1, 0d4008000000000000; st.v2.f64 [%rd1], {%fd1, %fd1};", "3.|+3.0",
     2},
    {"%d %f", "st.u32 [%rd1], 4; mov.f64 %fd1, 0d4024000000000000; st.f64 [%rd1+8], %fd1;",
     "4 10.000000", 2},
    {"%s!", string("word"), "fermata!"},
    {"[%10s]", string("word"), "[   fermata]"},
    {"[%-10s]", string("word"), "[fermata   ]"},
    {"[%.3s]", string("word"), "[fer]"},
    {"[%.4s]", string("open"), "[abcd]"},
    {"[%s]", string("empty"), "[]"},
    {"[%s]", wide("0"), "[(null)]"},
    {"%p", wide("0x12345678"), "0x12345678"},
    {"[%*d]", words({"6", "42"}), "[    42]", 2},
    {"[%-*d]", words({"6", "42"}), "[42    ]", 2},
    {"[%*d]", words({"-6", "42"}), "[42    ]", 2},
    {"[%.*f]", "st.u32 [%rd1], 1; mov.f64 %fd1, 0d4005BF0A8B145769; st.f64 [%rd1+8], %fd1;",
     "[2.7]", 2},
    {"[%.*d]", words({"-3", "5"}), "[5]", 2},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(printing)

BOOST_DATA_TEST_CASE(as_c_does, bdata::make(kForms), form) {
  const Printed printed = print(form.format, form.store);
  BOOST_TEST(printed.error == "");
  BOOST_TEST(printed.text == form.text);
  BOOST_TEST(printed.result == form.arguments);
}

BOOST_AUTO_TEST_CASE(each_thread_in_turn) {
  const Printed printed = print("%d;", words({"%r1"}), 40);
  std::string text;
  for (int k = 0; k < 40; ++k) text += std::to_string(k) + ";";
  BOOST_TEST(printed.text == text);
  const Printed some =
      print("%d;", words({"%r1"}), 8, "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 1; @%p1 ");
  BOOST_TEST(some.text == "1;3;5;7;");
}

BOOST_DATA_TEST_CASE(unknown_conversions_are_refused,
                     bdata::make<std::string>({"%n",  "%hn", "%m",    "%C",     "%S",     "%ls",
                                               "%lc", "%hp", "%Lf",   "%hf",    "%lld%q", "%1$d",
                                               "%'d", "%Id", "%hhhd", "%lld %", "%5",     "%.",
                                               "%",   "%-",  "%\x01"}),
                     format) {
  const Printed printed = print(format, wide("0"));
  expect(printed.error, {"unsupported conversion '%"});
  expect(printed.error, {"lane 0"});
  BOOST_TEST(printed.error.find('\x01') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_named) {
  const std::string many = "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d";
  BOOST_TEST(print(many, "").error == "");
  expect(print(many + " %d", "").error, {"argument 17 lies at address"});
  expect(print("%s", wide("4096")).error, {"the string at address 0x1000"});
  expect(print("%s", string("open")).error, {"cannot be read to its end"});
  expect(print("%5000d", words({"1"})).error, {"width or precision of 5000"});
  expect(print("%*d", words({"-2147483648", "1"})).error, {"of -2147483648"});
  expect(print("%.99999999999999999999f", words({"1"})).error, {"width or precision"});
}

// 32-bit code: pointers, and therefore `long`, have 4 bytes.
BOOST_AUTO_TEST_CASE(of_32_bit_code) {
  std::string text;
  ExecutorOptions options;
  options.print = [&](std::string_view part) { text += part; };
  Bench bench(R"(.version 4.2
.target sm_20
.address_size 32
.extern .func (.param .b32 r) vprintf (.param .b32 f, .param .b32 a);
.global .align 1 .b8 format)" +
                  bytes("%ld %s %zx %lld\n") + ".global .align 1 .b8 word" + bytes("fermata") + R"(
.entry k() {
.local .align 8 .b8 arguments[24]; .reg .b32 %r<9>; .reg .b64 %rd<9>;
mov.u32 %r1, arguments; cvta.local.u32 %r1, %r1; st.u32 [%r1], -5; mov.u32 %r2, word; st.u32 [%r1+4], %r2; st.u32 [%r1+8], 0xabc;
mov.u64 %rd1, 5000000000; st.u64 [%r1+16], %rd1; mov.u32 %r3, format;
{ .param .b32 p; st.param.b32 [p], %r3; .param .b32 q; st.param.b32 [q], %r1; .param .b32 v; call (v), vprintf, (p, q); }
ret; })",
              "k", options);
  bench.launch.block.x = 1;
  bench.run();
  BOOST_TEST(text == "-5 fermata abc 5000000000\n");
}

BOOST_AUTO_TEST_CASE(nobody_need_listen) {
  Bench bench(kernelText(R"(
{ .param .b64 param0; st.param.b64 [param0], 0; .param .b64 param1; st.param.b64 [param1], 0; .param .b32 retval0;
call.uni (retval0), vprintf, (param0, param1); ld.param.b32 %r1, [retval0]; }
st.global.u32 [%rd91], %r1;)",
                         kPrototype));
  const std::uint64_t out = bench.buffer(std::vector<std::uint32_t>{9});
  bench.parameter(out).parameter(out).parameter(0U);
  bench.run();
  BOOST_TEST(bench.values<std::uint32_t>(out, 1)[0] == 0xffffffffU);  // no format
  BOOST_TEST(bench.executor.printfCalls() == 32U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
