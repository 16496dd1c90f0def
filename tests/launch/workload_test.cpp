// Runs of launch files: sequences, loops, struct arguments, constant variables, checks and dumps.
#include <fermata/stimuli/launch/launch_workload.h>

#include <unistd.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kKernels = R"(
struct Line { int slope; float scale; int* out; };

__constant__ int table[4];

extern "C" __global__ void add(int* p, int value) { p[threadIdx.x] += value; }
extern "C" __global__ void line(Line l) { l.out[threadIdx.x] = l.slope * threadIdx.x + (int)l.scale; }
extern "C" __global__ void look(int* out) { out[threadIdx.x] = table[threadIdx.x & 3]; }
extern "C" __global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
extern "C" __global__ void rank(int* out) {
  int rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  out[blockIdx.y * gridDim.x + blockIdx.x] = rank;
}
extern "C" __global__ void halves(const double* in, double* out) { out[threadIdx.x] = in[threadIdx.x] / 2; }
)";

const std::string kBuffer = "[buffers.p]\ntype = 's32'\ncount = 32\nfill = { iota = {} }\n";

/// A folder with the kernels above.
struct Kernels : Scratch {
  Kernels() { write("k.cu", kKernels); }
  std::unique_ptr<LaunchWorkload> load(
      const std::string& text, const std::map<std::string, std::string>& parameters = {}) const {
    return open(*this, "kernel = 'k.cu'\n" + text, parameters);
  }
  std::vector<std::int32_t> run(const std::string& text, const std::string& buffer = "p") const {
    const auto workload = load(text);
    workload->runFunctionally();
    return elementsOf<std::int32_t>(workload->contents(buffer));
  }
};

BOOST_FIXTURE_TEST_SUITE(workload, Kernels)

BOOST_AUTO_TEST_CASE(launches_share_buffers_in_sequence) {
  const auto values =
      run("[parameters]\nn = 3\n" + kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 100 }") +
          "[[launch]]\nfor = { variable = 'k', from = 1, to = 'n + 1' }\n"
          "[[launch.launch]]\nentry = 'add'\ngrid = 1\nblock = 32\n"
          "arguments = [{ buffer = 'p' }, { s32 = 'k' }]\n");
  for (int i = 0; i < 32; ++i)
    BOOST_TEST(values[static_cast<std::size_t>(i)] == i + 100 + 1 + 2 + 3);
}

BOOST_AUTO_TEST_CASE(launches_may_have_clusters) {
  const auto launch = [&](const std::string& grid) {
    return run(kBuffer + "[[launch]]\nentry = 'rank'\ngrid = " + grid +
               "\nblock = 1\ncluster = [2, 2]\narguments = [{ buffer = 'p' }]\n");
  };
  const auto values = launch("[4, 4]");
  for (std::size_t i = 0; i < 16; ++i)
    BOOST_TEST(values[i] == static_cast<int>(i % 2 + 2 * (i / 4 % 2)));
  const std::string error = refusal([&] { launch("[4, 3]"); });
  BOOST_TEST(error.find("a grid of 4x3x1 CTAs in clusters of 2x2x1; expected a multiple in each "
                        "dimension") != std::string::npos,
             error);
  BOOST_CHECK_EXCEPTION(launch("[4, 3]"), InputError,
                        [](const InputError& one) { return one.where().line != 0; });
}

BOOST_AUTO_TEST_CASE(structs_pass_by_value) {
  const auto values = run(
      kBuffer + launchOf("line", "{ struct = [{ s32 = 5 }, { f32 = 7.5 }, { buffer = 'p' }] }"));
  for (int i = 0; i < 32; ++i) BOOST_TEST(values[static_cast<std::size_t>(i)] == 5 * i + 7);
}

BOOST_AUTO_TEST_CASE(offsets_move_pointers) {
  const auto values = run("[buffers.p]\ntype = 's32'\ncount = 40\nfill = 'zero'\n" +
                          launchOf("add", "{ buffer = 'p', offset = 8 }, { s32 = 1 }"));
  for (std::size_t i = 0; i < 40; ++i) BOOST_TEST(values[i] == (i < 8 ? 0 : 1));
}

BOOST_AUTO_TEST_CASE(constant_variables_are_buffers) {
  const std::string table =
      "[buffers.t]\ntype = 's32'\ncount = 4\nsymbol = 'table'\nfill = { iota = { from = 10, step = "
      "10 } }\n";
  const auto values = run(kBuffer + table + launchOf("look", "{ buffer = 'p' }"));
  for (int i = 0; i < 32; ++i) BOOST_TEST(values[static_cast<std::size_t>(i)] == 10 * (i % 4 + 1));
  const std::string small = "[buffers.t]\ntype = 's32'\ncount = 3\nsymbol = 'table'\n";
  refuses([&] { load(kBuffer + small + launchOf("look", "{ buffer = 'p' }")); },
          "no variable 'table' of 12 bytes");
}

BOOST_AUTO_TEST_CASE(host_functions_fill_buffers_from_those_above) {
  const std::string matrix =
      "[parameters]\nn = 2\n[buffers.in]\ntype = 'f32'\ncount = 4\nfill = { iota = {} }\n";
  const auto computed = [](const std::string& table, unsigned count, const std::string& reference) {
    return "[buffers." + table + "]\ntype = 'f32'\ncount = " + std::to_string(count) +
           "\nfill = { reference = '" + reference + "' }\n";
  };
  const std::string last = kBuffer + launchOf("look", "{ buffer = 'p' }");
  const std::vector<float> transposed = {0, 2, 1, 3};
  const auto workload = load(matrix + computed("t", 4, "transpose") + last);
  BOOST_TEST((elementsOf<float>(workload->contents("t")) == transposed));

  const auto looked = run(matrix + computed("t", 4, "transpose") + "symbol = 'table'\n" + last);
  for (std::size_t i = 0; i < 32; ++i) {
    float value = 0;
    std::memcpy(&value, &looked[i], sizeof value);
    BOOST_TEST(value == transposed[i % 4]);
  }

  const std::vector<Refusal> cases = {
      {matrix + computed("t", 4, "transposed"),
       "test.toml:11:8: no host reference 'transposed'; expected one of stride, "},
      {matrix + computed("t", 5, "transpose"),
       "test.toml:11:8: reference 'transpose' gives 16 bytes; expected the 20 bytes of buffer 't'"},
      {"[parameters]\nn = 2\n" + computed("t", 4, "transpose"),  // "in" is not declared above
       "test.toml:7:8: reference 'transpose' does not suit: the reference needs a buffer 'in'"},
      {matrix + computed("t", 4, ""), "test.toml:11:8: no host reference ''; expected one of "},
  };
  refusesAll(cases, [&](const std::string& text) { load(text + last); });
}

BOOST_AUTO_TEST_CASE(textures_read_their_buffers) {
  write("tex.ptx", R"(.version 4.2
.target sm_20
.address_size 32
.global .texref image;
.visible .entry sample(.param .u32 out)
{
  .reg .b32 %r<8>;
  .reg .f32 %f<5>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 7;
  shr.u32 %r3, %r1, 3;
  tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r2, %r3}];
  ld.param.u32 %r4, [out];
  shl.b32 %r5, %r1, 2;
  add.s32 %r6, %r4, %r5;
  st.global.f32 [%r6], %f1;
  ret;
}
)");
  const std::string text =
      "kernel = 'tex.ptx'\n[buffers.a]\ntype = 'f32'\ncount = 32\nfill = { iota = { step = 3 } }\n"
      "[buffers.p]\ntype = 'f32'\ncount = 32\n[textures.image]\nbuffer = 'a'\nwidth = 8\nheight = "
      "4\n";
  const auto workload = open(*this, text + launchOf("sample", "{ buffer = 'p' }"));
  workload->runFunctionally();
  const auto values = elementsOf<float>(workload->contents("p"));
  for (int i = 0; i < 32; ++i)
    BOOST_TEST(values[static_cast<std::size_t>(i)] == 3.0F * static_cast<float>(i));
  const std::string other = "[textures.picture]\nbuffer = 'a'\nwidth = 8\n";
  refuses([&] { open(*this, text + other + launchOf("sample", "{ buffer = 'p' }")); },
          "no texture 'picture'; expected one of image");
}

BOOST_AUTO_TEST_CASE(doubles_are_exact) {
  const auto workload = load(
      "[buffers.a]\ntype = 'f64'\ncount = 32\nfill = { iota = { from = 0.1, step = 0.3 } }\n"
      "[buffers.p]\ntype = 'f64'\ncount = 32\n" +
      launchOf("halves", "{ buffer = 'a' }, { buffer = 'p' }"));
  workload->runFunctionally();
  const auto values = elementsOf<double>(workload->contents("p"));
  for (int i = 0; i < 32; ++i)
    BOOST_TEST(values[static_cast<std::size_t>(i)] == (0.1 + i * 0.3) / 2);
}

BOOST_AUTO_TEST_CASE(a_wrong_result_is_found) {
  std::string good;
  for (std::int32_t i = 0; i < 32; ++i) {
    const std::int32_t value = i + 1;
    good.append(reinterpret_cast<const char*>(&value), 4);
  }
  write("good.bin", good);
  good[4 * 20] = 99;
  write("bad.bin", good);
  const std::string text = kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 1 }") +
                           "[[check]]\nbuffer = 'p'\nfile = ";
  const auto right = load(text + "'good.bin'\n");
  right->runFunctionally();
  BOOST_TEST(right->checkResults() == 1U);
  const auto wrong = load(text + "'bad.bin'\n");
  wrong->runFunctionally();
  BOOST_CHECK_EXCEPTION(wrong->checkResults(), CheckError, [](const CheckError& error) {
    return error.buffer() == "p" && error.index() == 20 && error.got() == "21" &&
           error.expected() == "99";
  });
  const auto early = load(text + "'good.bin'\n");  // nothing has run: the fill is no result
  BOOST_CHECK_THROW(early->checkResults(), CheckError);
}

BOOST_AUTO_TEST_CASE(dumps_appear_whole) {
  const auto workload = load(kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 7 }") +
                             "[[dump]]\nbuffer = 'p'\nfile = 'p.bin'\n");
  workload->runFunctionally();
  files::OutputSet files;
  workload->openDumps(files, path(""));
  BOOST_TEST(!fs::exists(path("p.bin")));
  workload->dump();
  files.commit();
  std::ifstream file(path("p.bin"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto contents = workload->contents("p");
  BOOST_TEST(bytes == std::string(contents.begin(), contents.end()));
  refuses([&] { workload->openDumps(files, path("p.bin")); },
          "test.toml:11:1: cannot create folder ");
  refuses([&] { workload->openDumps(files, path("")); },
          "test.toml:11:1: cannot write ");  // the set already has that file
}

BOOST_AUTO_TEST_CASE(dumps_stay_in_their_folder) {
  const std::vector<Refusal> cases = {
      {"", "'' has no name"},
      {"/tmp/p.bin", "is an absolute path"},
      {"../p.bin", "leads out of its folder"},
      {"a/../../p.bin", "leads out of its folder"},
      {"a/..", "leads out of its folder"},
      {"p.bin\\u0000.txt", "'p.bin' goes on behind a zero byte"},
      {"a/", "names a folder"},
      {".", "names a folder"},
  };
  for (const auto& [file, what] : cases) {
    const std::string text = kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 7 }") +
                             "[[dump]]\nbuffer = 'p'\nfile = \"" + file + "\"\n";
    refuses([&] { load(text); }, "test.toml:11:1: the dump's file ");
    refuses([&] { load(text); }, what);
  }
  BOOST_CHECK_NO_THROW(load(kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 7 }") +
                            "[[dump]]\nbuffer = 'p'\nfile = 'a/..b/c..d'\n"));
}

BOOST_AUTO_TEST_CASE(dumps_follow_no_link_out_of_their_folder) {
  namespace fs = std::filesystem;
  const std::string out = path("out");
  fs::create_directories(out + "/own");
  fs::create_directory(path("elsewhere"));
  write("elsewhere/kept.bin", "kept");
  fs::create_symlink("../elsewhere/kept.bin", out + "/link.bin");
  fs::create_symlink(path("elsewhere/fresh.bin"), out + "/dangling.bin");
  fs::create_directory_symlink("../elsewhere", out + "/folder");
  fs::create_symlink("own/p.bin", out + "/inside.bin");
  fs::create_directory_symlink("out", path("out-link"));
  const auto dumpTo = [&](const std::string& folder, const std::string& file) {
    const auto workload = load(kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 7 }") +
                               "[[dump]]\nbuffer = 'p'\nfile = '" + file + "'\n");
    files::OutputSet files;
    workload->openDumps(files, folder);
    workload->dump();
    files.commit();
  };
  for (const char* file : {"link.bin", "dangling.bin", "folder/p.bin", "folder/deeper/p.bin"}) {
    refuses([&] { dumpTo(out, file); },
            "test.toml:11:1: the dump's file '" + std::string(file) +
                "' leads out of the folder of --out by a link; expected");
  }
  BOOST_TEST(fs::file_size(path("elsewhere/kept.bin")) == 4U);
  BOOST_TEST(std::distance(fs::directory_iterator(path("elsewhere")), {}) == 1);
  dumpTo(out, "inside.bin");
  dumpTo(path("out-link"), "p.bin");
  BOOST_TEST(fs::file_size(out + "/own/p.bin") == 128U);
  BOOST_TEST(fs::file_size(out + "/p.bin") == 128U);
}

BOOST_AUTO_TEST_CASE(refuses_what_does_not_suit_the_kernels) {
  const std::vector<Refusal> cases = {
      {launchOf("sub", "{ buffer = 'p' }"), "test.toml:7:9: no kernel 'sub' in "},
      {launchOf("sub", ""), "expected one of add, "},
      {launchOf("add", "{ buffer = 'p' }"),
       "test.toml:6:1: kernel 'add' gets 1 arguments; expected 2"},
      {launchOf("add", "{ buffer = 'p' }, { f32 = 1 }"), "f32 for parameter 1"},
      {launchOf("add", "{ buffer = 'p' }, { s32 = 1 }") +
           "[[check]]\nbuffer = 'p'\nreference = 'strid'\n",
       "no host reference 'strid'; expected one of stride, "},
  };
  refusesAll(cases, [&](const std::string& text) { load(kBuffer + text); });
}

BOOST_AUTO_TEST_CASE(a_reference_for_other_buffers_is_refused) {
  const auto workload = load(kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 1 }") +
                             "[[check]]\nbuffer = 'p'\nreference = 'stride'\n");
  workload->runFunctionally();
  refuses([&] { workload->checkResults(); },
          "reference 'stride' does not suit: the reference needs a parameter");
}

BOOST_AUTO_TEST_CASE(unset_memory_is_an_error_when_checked) {
  const std::string text = "kernel = 'k.cu'\n" + kBuffer +
                           "[buffers.q]\ntype = 's32'\ncount = 32\n" +
                           launchOf("copy", "{ buffer = 'q' }, { buffer = 'p' }");
  WorkloadOptions options;
  options.checkUninitialised = true;
  LaunchWorkload strict(parseLaunchFile(text, path("test.toml")), {}, options);
  refuses([&] { strict.runFunctionally(); }, "copy");
  LaunchWorkload lenient(parseLaunchFile(text, path("test.toml")), {});
  lenient.runFunctionally();
  LaunchWorkload filled(parseLaunchFile("kernel = 'k.cu'\n" + kBuffer +
                                            launchOf("copy", "{ buffer = 'p' }, { buffer = 'p' }"),
                                        path("test.toml")),
                        {}, options);
  filled.runFunctionally();
}

BOOST_AUTO_TEST_CASE(a_buffer_too_small_is_an_error_of_the_kernel) {
  const auto workload = load("[buffers.p]\ntype = 's32'\ncount = 31\nfill = 'zero'\n" +
                             launchOf("add", "{ buffer = 'p' }, { s32 = 1 }"));
  refuses([&] { workload->runFunctionally(); }, "'p'");
}

/// Steps the workload like a timing model, one CTA at a time.
std::uint64_t stepThrough(Workload& workload, std::vector<Grid>& grids) {
  std::uint64_t instructions = 0;
  workload.setWarpSlots(4);
  workload.setCarriesData(true);
  WarpInstruction out;
  while (const Grid* grid = workload.nextGrid()) {
    grids.push_back(*grid);
    for (std::uint64_t cta = 0; cta < grid->ctas; ++cta) {
      workload.startCta(cta, 2);
      while (workload.peek(2) != nullptr) {
        BOOST_REQUIRE(workload.peek(2)->pc < grid->instructionCount);
        workload.execute(2, out);
        ++instructions;
      }
      workload.endCta(2);
    }
  }
  return instructions;
}

BOOST_AUTO_TEST_CASE(is_a_workload_for_the_timing_model) {
  const std::string text = kBuffer + launchOf("add", "{ buffer = 'p' }, { s32 = 1 }") +
                           launchOf("copy", "{ buffer = 'p' }, { buffer = 'p' }") +
                           "registers = 33\nshared = 64\n" +
                           launchOf("add", "{ buffer = 'p' }, { s32 = 5 }");
  const auto stepped = load(text);
  std::vector<Grid> grids;
  const std::uint64_t instructions = stepThrough(*stepped, grids);
  const auto whole = load(text);
  BOOST_TEST(whole->runFunctionally() == instructions);
  BOOST_TEST(whole->contents("p") == stepped->contents("p"), tt::per_element());
  BOOST_REQUIRE(grids.size() == 3U);
  BOOST_TEST(stepped->programCount() == 2U);
  BOOST_TEST(grids[0].program == grids[2].program);
  BOOST_TEST(grids[1].kernel == "copy");
  BOOST_TEST(stepped->kernelName(grids[1].program) == "copy");
  BOOST_TEST(grids[1].registersPerThread == 33U);
  BOOST_TEST(grids[1].sharedBytesPerCta == 64U);
  BOOST_TEST(grids[0].registersPerThread > 0U);
  BOOST_TEST(grids[0].threadsPerCta == 32U);
  BOOST_TEST(grids[1].where == path("test.toml") + ":11");
  BOOST_TEST(stepped->instructionCount(0) == grids[0].instructionCount);
  bool found = false;
  for (std::uint32_t pc = 0; pc < grids[0].instructionCount; ++pc) {
    const InstructionText where = stepped->instructionText(0, pc);
    found = found || (where.file == "k.cu" && where.line == 6 && where.opcode == "st.global.u32");
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
