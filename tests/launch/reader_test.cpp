// Bad launch files: each is refused at its line and column, with the expected form.
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kKernel = "kernel = 'k.cu'\n";
const std::string kLaunch = "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 32\n";
const std::string kBuffer = "[buffers.b]\ntype = 'u32'\ncount = 8\n";

void checkRefused(const std::vector<Refusal>& files) {
  refusesAll(files, [](const std::string& text) { parseLaunchFile(text, "f.toml"); });
}

BOOST_AUTO_TEST_SUITE(reader)

BOOST_AUTO_TEST_CASE(reads_every_key) {
  const auto description = parseLaunchFile(R"(
description = "all of it"
kernel = "dir/k.cu"
[parameters]
zeta = 3
alpha = { default = 16, allowed = [16, 32], description = "a" }
[[require]]
that = "alpha > zeta"
message = "alpha is above zeta"
[buffers.z]
type = "f32"
count = "alpha * 2"
fill = "zero"
[buffers.a]
type = "s8"
count = "count(z) + 1"
symbol = "table"
[[launch]]
for = { variable = "k", from = 3, to = 0, step = -1 }
[[launch.launch]]
entry = "k_{alpha}"
grid = ["k", 2, 3]
block = [8, "alpha"]
shared = 1024
registers = 20
when = "k != 2"
arguments = [{ buffer = "z", offset = "k" }, { struct = [{ u8 = 1 }, { f64 = 2.5 }] }, { bytes = [1, 255] }]
[[check]]
buffer = "z"
reference = "stride"
absolute = 1
relative = 1e-3
[[dump]]
buffer = "a"
file = "a.bin"
)",
                                           "folder/f.toml");
  BOOST_TEST(description.description == "all of it");
  BOOST_TEST(description.folder == "folder");
  BOOST_TEST(description.kernel.file.pattern == "dir/k.cu");
  BOOST_TEST(description.parameters.size() == 2U);
  BOOST_TEST(description.parameters[0].name == "zeta");  // the order in the file
  BOOST_TEST(description.parameters[1].allowedText() == "16 or 32");
  BOOST_TEST(description.buffers[0].name == "z");
  BOOST_TEST(description.buffers[1].symbol == "table");
  BOOST_TEST(description.launches[0].variable == "k");
  BOOST_TEST(description.launches[0].body[0].arguments.size() == 3U);
  BOOST_TEST(description.checks[0].absolute == 1.0);
  BOOST_TEST(description.dumps[0].file.pattern == "a.bin");
  BOOST_TEST(description.dumps[0].where.line == 33U);
}

BOOST_AUTO_TEST_CASE(refuses_bad_tables_and_keys) {
  checkRefused({
      {"", "f.toml:1:1: the launch file lacks 'kernel'"},
      {"kernel = 'k.cu'\nx = \n", "f.toml:2:5: "},
      {"kernel = 'a'\nkernel = 'b'\n", "f.toml:2:"},
      {"kernel = 5\n", "f.toml:1:10: 'kernel' is an integer; expected a string"},
      {kKernel, "nothing is launched; expected at least one [[launch]]"},
      {kKernel + "kernle = 1\n" + kLaunch, "f.toml:2:1: unknown key 'kernle' in the launch file"},
      {kKernel + "launch = 3\n", "f.toml:2:10: 'launch' is an integer; expected tables"},
      {kKernel + "launch = [3]\n", "'launch' holds an integer; expected tables"},
      {kKernel + "[launch]\nentry = 'k'\n",
       "'launch' is a table; expected tables (in double brackets"},
      {kKernel + "parameters = 3\n" + kLaunch, "'parameters' is an integer; expected a table"},
      {kKernel + "[[buffers]]\ntype = 'u8'\n" + kLaunch,
       "'buffers' is an array of tables (double brackets); expected a table: [buffers] or buffers "
       "= "
       "{ .. }"},
      {kKernel + "[[parameters]]\nn = 1\n" + kLaunch,
       "'parameters' is an array of tables (double brackets); expected a table: [parameters]"},
      {kKernel + "kernel.file = 1\n" + kLaunch, "f.toml:2:"},
      {"[kernel]\nfile = 'k.cu'\n", "'kernel' is a table; expected a string"},
      {"[[kernel]]\nfile = 'k.cu'\n" + kLaunch,
       "'kernel' is an array of tables (double brackets); expected a string"},
      {kKernel + "buffers = []\n" + kLaunch, "'buffers' is an array; expected a table"},
      {kKernel + kLaunch + "gird = 3\n",
       "f.toml:6:1: unknown key 'gird' in a launch; expected one of arguments, block"},
      {kKernel + "[[launch]]\ngrid = 1\nblock = 1\n", "f.toml:2:1: a launch lacks 'entry'"},
      {kKernel + "[[launch]]\nentry = 'k'\nblock = 1\n", "a launch lacks 'grid'"},
      {kKernel + kLaunch + "registers = true\n",
       "f.toml:6:13: 'registers' is true or false; expected an integer"},
      {kKernel + kLaunch + "shared = 1979-05-27\n", "'shared' is a date or time"},
      {kKernel + "[[launch]]\nentry = 'k_{m}'\ngrid = 1\nblock = 1\n",
       "f.toml:3:13: unknown name 'm'"},
      {kKernel + "[[launch]]\nentry = 'k_{'\ngrid = 1\nblock = 1\n", "unbalanced brace"},
      {kKernel + "[[launch]]\nentry = 'k'\ngrid = [1, 2, 3, 4]\nblock = 1\n",
       "f.toml:4:8: 'grid' has 4 elements"},
      {kKernel + "[[launch]]\nentry = 'k'\ngrid = []\nblock = 1\n",
       "'grid' has 0 elements; expected 1 to 3"},
      {kKernel + "[[launch]]\nentry = 'k'\ngrid = 1.5\nblock = 1\n",
       "'grid' is a number with a fraction"},
      {kKernel + "[[launch]]\nentry = 'k'\ngrid = 'n / 2'\nblock = 1\n",
       "f.toml:4:9: unknown name 'n'"},
  });
}

BOOST_AUTO_TEST_CASE(refuses_keys_of_many_parts) {
  const auto key = [](unsigned parts, const std::string& part, const std::string& between) {
    std::string text = part;
    for (unsigned k = 1; k < parts; ++k) text += between + part;
    return text;
  };
  const std::string wrong = "a key of more than 32 parts; expected at most 32";
  for (const unsigned parts : {33U, 300000U}) {
    checkRefused({
        {kKernel + key(parts, "a", ".") + " = 1\n", "f.toml:2:64: " + wrong},
        {kKernel + "[" + key(parts, "a", ".") + "]\n", "f.toml:2:65: " + wrong},
        {kKernel + "[[ " + key(parts, "'a.b'", " . ") + " ]]\n", wrong},
        {kKernel + "x = { " + key(parts, "\"\\\"\"", ".") + " = 1 }\n", wrong},
        {kKernel + "x = \"\"\"\n\"\"\"\"\n" + key(parts, "a", ".") + " = 1\n",
         "f.toml:4:64: " + wrong},
    });
  }
  const std::string dots = key(40, "a", ".");
  checkRefused({
      {kKernel + key(32, "a", ".") + " = 1\n" + kLaunch, "unknown key 'a'"},
      {kKernel + "# " + dots + "\n" + kLaunch + "gird = '" + dots + "'\n", "unknown key 'gird'"},
      {kKernel + kLaunch + "gird = \"\\\"" + dots + "\"\n", "unknown key 'gird'"},
      {kKernel + kLaunch + "gird = \"\"\"\n\"" + dots + "\n\"\"\"\n", "unknown key 'gird'"},
      {kKernel + kLaunch + "gird = \"" + dots + "\n", "f.toml:6:"},
  });
}

BOOST_AUTO_TEST_CASE(refuses_bad_parameters_and_buffers) {
  checkRefused({
      {kKernel + "[parameters]\nn = 'x'\n" + kLaunch,
       "f.toml:3:5: parameter 'n' is a string; expected an integer"},
      {kKernel + "[parameters]\nn = {}\n" + kLaunch, "parameter 'n' lacks 'default'"},
      {kKernel + "[parameters]\nn = { default = 1.5 }\n" + kLaunch,
       "'default' is a number with a fraction"},
      {kKernel + "[parameters]\nn = { default = 1, form = 1 }\n" + kLaunch,
       "f.toml:3:20: unknown key 'form'"},
      {kKernel + "[parameters]\nn = { default = 1, from = 2 }\n" + kLaunch,
       "f.toml:3:17: the default of 'n' is not allowed; expected at least 2"},
      {kKernel + "[parameters]\nn = { default = 1, from = 2, to = 1 }\n" + kLaunch,
       "'from' is above 'to'"},
      {kKernel + "[parameters]\nn = { default = 1, allowed = [] }\n" + kLaunch,
       "expected an array of integers"},
      {kKernel + "[parameters]\nn = { default = 1, allowed = ['a'] }\n" + kLaunch,
       "holds a string; expected integers"},
      {kKernel + "[parameters]\n'n m' = 1\n" + kLaunch, "'n m' cannot be a name"},
      {kKernel + "[parameters]\ni = 1\n" + kLaunch, "'i' is the index of a formula"},
      {kKernel + "[[require]]\nthat = 'x'\nmessage = ''\n" + kLaunch, "unknown name 'x'"},
      {kKernel + "[buffers.b]\ntype = 'u33'\ncount = 1\n" + kLaunch,
       "f.toml:3:8: unknown element type 'u33'; expected one of u8"},
      {kKernel + "[buffers.b]\ntype = 'u32'\n" + kLaunch, "buffer 'b' lacks 'count'"},
      {kKernel + "[buffers]\nb = 4\n" + kLaunch, "'b' is an integer; expected a table"},
      {kKernel +
           "[buffers.b]\ntype = 'u32'\ncount = 'count(c)'\n[buffers.c]\ntype = 'u8'\ncount = 1\n" +
           kLaunch,
       "unknown name 'count(c)'"},
      {kKernel + kBuffer + "fill = 'ones'\n" + kLaunch,
       "f.toml:5:8: unknown fill 'ones'; expected \"zero\" or a table"},
      {kKernel + kBuffer + "fill = {}\n" + kLaunch, "picture, image, edges or reference"},
      {kKernel + kBuffer + "fill = { reference = 3 }\n" + kLaunch, "expected a string"},
      {kKernel + kBuffer + "fill = 0\n" + kLaunch, "'fill' is an integer; expected a table"},
      {kKernel + kBuffer + "fill = { randm = 1 }\n" + kLaunch, "unknown key 'randm' in a fill"},
      {kKernel + kBuffer + "fill = { constant = 1, file = 'x' }\n" + kLaunch,
       "unknown key 'file' in a fill"},
      {kKernel + kBuffer + "fill = { random = { from = 0, to = 1 } }\n" + kLaunch,
       "random lacks 'seed'"},
      {kKernel + kBuffer + "fill = { formula = 'j' }\n" + kLaunch, "unknown name 'j'"},
      {kKernel + kBuffer + "fill = { constant = [1] }\n" + kLaunch, "'constant' is an array"},
  });
}

BOOST_AUTO_TEST_CASE(refuses_bad_arguments_loops_and_checks) {
  const std::string start = kKernel + kBuffer + kLaunch;  // 8 lines
  const std::string loop = kKernel + "[[launch]]\n";
  const std::string body = "[[launch.launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n";
  checkRefused({
      {start + "arguments = 3\n", "f.toml:9:13: 'arguments' is an integer; expected tables"},
      {start + "arguments = [3]\n", "'arguments' holds an integer"},
      {start + "arguments = [{}]\n", "f.toml:9:14: not an argument; expected { TYPE = value }"},
      {start + "arguments = [{ i32 = 3 }]\n", "not an argument"},
      {start + "arguments = [{ u32 = 3, u16 = 1 }]\n", "not an argument"},
      {start + "arguments = [{ u32 = true }]\n", "f.toml:9:22: 'u32' is true or false"},
      {start + "arguments = [{ buffer = 'c' }]\n", "f.toml:9:25: no buffer 'c'; expected one of b"},
      {start + "arguments = [{ bytes = [256] }]\n", "256 is not a byte; expected 0 to 255"},
      {start + "arguments = [{ struct = [] }]\n", "an empty struct"},
      {start + "arguments = [{ struct = [{ struct = [{ u8 = 1 }] }] }]\n", "not an argument"},
      {loop + "for = 3\n", "'for' is an integer; expected a table"},
      {loop + "for = { variable = 'k', from = 0 }\n" + body, "'for' lacks 'to'"},
      {loop + "for = { variable = 'k', from = 0, to = 1, by = 1 }\n" + body,
       "unknown key 'by' in 'for'"},
      {loop + "for = { variable = '1', from = 0, to = 1 }\n" + body, "'1' cannot be a name"},
      {loop + "for = { variable = 'k', from = 0, to = 1 }\n", "a loop without launches"},
      {loop + "for = { variable = 'k', from = 0, to = 1 }\nentry = 'k'\n" + body,
       "unknown key 'entry' in a launch"},
      {kKernel + "[parameters]\nk = 1\n[[launch]]\nfor = { variable = 'k', from = 0, to = 1 }\n" +
           body,
       "'k' is a name already"},
      {loop + "for = { variable = 'k', from = 'k', to = 1 }\n" + body, "unknown name 'k'"},
      {start + "[[check]]\nreference = 'x'\n", "a check lacks 'buffer'"},
      {start + "[[check]]\nbuffer = 'c'\nreference = 'x'\n", "f.toml:10:10: no buffer 'c'"},
      {start + "[[check]]\nbuffer = 'b'\n", "a check without a source or with two"},
      {start + "[[check]]\nbuffer = 'b'\nfile = 'x'\nreference = 'y'\n",
       "a check without a source or with two"},
      {start + "[[check]]\nbuffer = 'b'\nfile = 'x'\nabsolute = -1\n",
       "'absolute' cannot be a tolerance"},
      {start + "[[check]]\nbuffer = 'b'\nfile = 'x'\nrelative = nan\n",
       "'relative' cannot be a tolerance"},
      {start + "[[check]]\nbuffer = 'b'\nfile = 'x'\nabsolute = 'x'\n",
       "'absolute' is a string; expected a number"},
      {start + "[[dump]]\nbuffer = 'b'\n", "a dump lacks 'file'"},
      {kKernel + kLaunch + "arguments = [{ buffer = 'b' }]\n",
       "no buffer 'b'; expected a [buffers.NAME] in the file"},
  });
}

BOOST_AUTO_TEST_CASE(loops_nest_only_so_deep) {
  std::string text = kKernel;
  std::string key = "launch";
  for (int depth = 0; depth < 9; ++depth) {
    text += "[[" + key + "]]\nfor = { variable = 'v" + std::to_string(depth) +
            "', from = 0, to = 1 }\n";
    key += ".launch";
  }
  text += "[[" + key + "]]\nentry = 'k'\ngrid = 1\nblock = 1\n";
  checkRefused({{text, "loops are nested too deeply"}});
}

BOOST_AUTO_TEST_CASE(refuses_files_that_cannot_be_read) {
  refuses([] { readLaunchFile("/nonexistent/x.toml"); }, "/nonexistent/x.toml: cannot be read");
  refuses([] { readLaunchFile("/tmp"); }, "'/tmp' is a folder; expected a launch file");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
