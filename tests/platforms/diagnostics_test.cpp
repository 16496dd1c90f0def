// Messages as JSON, one object per line, and launches by the command line.
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using namespace fermata::test;

namespace {

using Messages = std::vector<nlohmann::json>;

/// Returns the objects on standard error of a command that ends with `code`.
Messages messagesOf(const std::string& arguments, int code, const Folder& folder) {
  const Outcome outcome =
      runShell("cd '" + folder.path.string() + "' && '" FERMATA_PROGRAM "' --diagnostics json " +
               arguments + " >/dev/null");
  BOOST_TEST_REQUIRE(outcome.code == code, outcome.text);
  Messages messages;
  for (const std::string& line : linesOf(outcome.text)) {
    messages.push_back(nlohmann::json::parse(line));
    for (const char* key : {"kind", "file", "line", "column", "message", "expected"})
      BOOST_TEST(messages.back().contains(key), line);
  }
  return messages;
}

const std::string kLaunch = " --entry k --grid 1 --block 32 --arch sm_80 --platform sm_80 ";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(diagnostics, Folder)

BOOST_AUTO_TEST_CASE(a_compilers_place_comes_first) {
  write("bad.cu", "extern \"C\" __global__ void k() {\n  int x = nonsense;\n}\n");
  const Messages messages = messagesOf("run bad.cu" + kLaunch, 2, *this);
  BOOST_TEST_REQUIRE(messages.size() == 2U);
  BOOST_TEST(messages[0]["kind"] == "compile");
  BOOST_TEST(has(messages[0]["file"], "bad.cu"));
  BOOST_TEST(messages[0]["line"] == 2);
  BOOST_TEST(messages[0]["column"] == 11);
  BOOST_TEST(has(messages[0]["message"], "nonsense"));
  BOOST_TEST(messages[1]["expected"] == "CUDA device code");
  write("bad.toml", "kernel = 'bad.cu'\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n");
  const Messages file = messagesOf("run bad.toml --platform sm_80", 2, *this);
  BOOST_TEST(file.at(0)["line"] == 2);
  BOOST_TEST(file.at(1)["file"] == "bad.toml");
  BOOST_TEST(file.at(1)["line"] == 1);
}

BOOST_AUTO_TEST_CASE(kinds_and_places) {
  write("mine.toml", "base = \"sm_80\"\n[scratchpad]\nlatenzy = 3\n");
  Messages messages = messagesOf("show mine.toml", 2, *this);
  BOOST_TEST(messages.at(0)["kind"] == "platform");
  BOOST_TEST(messages.at(0)["file"] == "mine.toml");
  BOOST_TEST(messages.at(0)["line"] == 3);
  BOOST_TEST(!messages.at(0)["expected"].is_null());
  messages = messagesOf("show --nonsense", 2, *this);
  BOOST_TEST(messages.at(0)["kind"] == "usage");
  messages = messagesOf("nonsense", 2, *this);
  BOOST_TEST(messages.at(0)["kind"] == "usage");
  messages = messagesOf("run nosuch --platform sm_80", 2, *this);
  BOOST_TEST(messages.at(0)["kind"] == "input");
  BOOST_TEST(has(messages.at(0)["message"], "no workload 'nosuch'"));
  messages = messagesOf("check transpose --platform gtx480 --param tile=32", 1, *this);
  BOOST_TEST(messages.at(0)["kind"] == "note");
}

BOOST_AUTO_TEST_CASE(a_stray_access_says_who) {
  write("stray.cu", "extern \"C\" __global__ void k(float* x) {\n  x[threadIdx.x] = 1;\n}\n");
  const Messages messages =
      messagesOf("run stray.cu" + kLaunch + "--arg 'x=out:float32[8]'", 2, *this);
  BOOST_TEST_REQUIRE(messages.size() == 1U);
  BOOST_TEST(messages[0]["kind"] == "launch");
  BOOST_TEST(messages[0]["file"] == "stray.cu");
  BOOST_TEST(messages[0]["line"] == 2);
  BOOST_TEST(messages[0]["lane"] == 8);
  BOOST_TEST(messages[0]["cta_x"] == 0);
  BOOST_TEST(messages[0]["kernel"] == "k");
  BOOST_TEST(has(messages[0]["address"], "0x"));
}

BOOST_AUTO_TEST_CASE(errors_of_child_processes_keep_their_kind) {
  write("stray.cu", R"(extern "C" __global__ void k(float* x) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 1;
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x][0];
}
)");
  const std::string words = " stray.cu" + kLaunch + "--arg 'x=out:float32[8]'";
  for (const char* command : {"run", "explain", "check", "search --no-apply",
                              "search --l1 --no-apply --set global.memory=caches"}) {
    const Messages messages = messagesOf(command + words, 2, *this);
    BOOST_TEST_REQUIRE(messages.size() == 1U, command);
    BOOST_TEST(messages[0]["kind"] == "launch", command);
    BOOST_TEST(messages[0]["file"] == "stray.cu", command);
    BOOST_TEST(messages[0]["line"] == 5, command);
    BOOST_TEST(messages[0]["lane"] == 8, command);
    BOOST_TEST(has(messages[0]["address"], "0x"), command);
  }
}

BOOST_AUTO_TEST_CASE(helps_of_commands_name_the_option) {
  for (const char* command : {"run", "explain", "platforms", "sweep"})
    runProgram(std::string(command) + " --help").ok("--diagnostics json");
}

BOOST_AUTO_TEST_CASE(every_command_takes_the_option_anywhere) {
  runProgram("show nosuch --diagnostics=json").refused("{\"kind\":\"platform\"");
  runProgram("--diagnostics text show nosuch").refused("fermata: error: unknown platform");
  runProgram("show nosuch --diagnostics nonsense")
      .refused("--diagnostics 'nonsense'; expected json or text");
}

BOOST_AUTO_TEST_CASE(a_launch_by_the_command_line_serves_all_commands) {
  write("tile.cu", R"(extern "C" __global__ void k(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][0];
}
)");
  const std::string words = " tile.cu" + kLaunch + "--arg 'out=out:float32[32]'";
  runProgram("run" + words + " --out o", path).ok("conflict cycles");
  BOOST_TEST(fs::file_size(path / "o" / "out.npy") == 256U);
  runProgram("check" + words, path).ends(1, "tile.cu:3", "tile.cu:5", "degree 32");
  runProgram("search" + words + " --no-apply", path).ok("recommended");
  runProgram("explain" + words, path).ok("tile.cu:3");
  runProgram("run transpose --platform gtx480 --entry k").refused("is a launch file");
  runProgram("run pattern-walk --platform gtx480 --buffer x=y.npy").refused("is a pattern");
}

BOOST_AUTO_TEST_CASE(commands_share_what_was_compiled) {
  write("k.cu", "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }\n");
  const std::string words = " k.cu" + kLaunch + "--arg 'x=out:float32[32]'";
  const auto entries = [&] {
    std::size_t count = 0;
    for (const auto& each : fs::recursive_directory_iterator(path / "cache"))
      count += each.path().extension() == ".made" ? 1 : 0;
    return count;
  };
  const auto cached = [&](const std::string& arguments) {
    return runShell("cd '" + path.string() + "' && FERMATA_CACHE=cache '" FERMATA_PROGRAM "' " +
                    arguments);
  };
  const std::string first = cached("run" + words).ok().text;
  BOOST_TEST(entries() == 1U);
  BOOST_TEST(cached("run" + words).ok().text == first);
  cached("check" + words).ok();
  BOOST_TEST(entries() == 1U);
  const std::string ptx = cached("cc --ptx k.cu -o a.ptx && cat a.ptx").ok(".entry k").text;
  BOOST_TEST(entries() == 2U);
  BOOST_TEST(cached("cc --ptx k.cu -o a.ptx && cat a.ptx").ok().text == ptx);
  BOOST_TEST(entries() == 2U);
}

BOOST_AUTO_TEST_CASE(a_mapping_has_notations) {
  runProgram("map 'swizzle b=3 m=4 s=3' --notations --element 2")
      .ok("cute::Swizzle<3,3,3>", "SwizzledSharedLayout", "i ^ ((i >> 3) & 0x38)");
  runProgram("map 'ami 33' --notations --csv").ok("notation,text", "bank,");
}

BOOST_AUTO_TEST_SUITE_END()
