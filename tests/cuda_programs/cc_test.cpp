// fermata cc: its options and refusals. Its outputs appear whole or not at all.
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <sstream>

#include <fermata/platforms/program/cc/architectures.h>
#include <fermata/platforms/program/cc/product_fusion.h>
#include <fermata/platforms/program/cc/program_options.h>
#include <fermata/platforms/program/cc/program_request.h>
#include <fermata/platforms/program/cc/ptx_check.h>
#include <fermata/platforms/program/cc/register_count.h>
#include <fermata/platforms/program/cc/source_text.h>
#include <fermata/platforms/program/command.h>
#include <fermata/stimuli/launch/data_directory.h>

#include "tests/support/program.h"

namespace {

using namespace fermata;
using namespace fermata::test;
using platforms::ProgramRequest;
using Words = std::vector<std::string>;

const char* const kKernel = "__global__ void twice(float* a) { a[threadIdx.x] *= 2.0f; }\n";

/// A folder with a source of each kind.
struct Sources : Folder {
  Sources() {
    write("app.cu", kKernel);
    write("more.cpp", "int more() { return 1; }\n");
    write("part.o", "");
  }
};

ProgramRequest read(const Folder& folder, Words words) {
  for (std::string& word : words) {
    if (std::filesystem::exists(folder.path / word)) word = (folder.path / word).string();
  }
  return platforms::readProgramRequest(words);
}

Words wordsOf(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

void expectWords(const Words& got, const Words& expected) {
  BOOST_TEST(got == expected, tt::per_element());
}

std::string refusal(const Folder& folder, const Words& words) {
  try {
    read(folder, words);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cc)

BOOST_AUTO_TEST_CASE(reads_the_words_of_nvcc) {
  const Sources sources;
  Words words = wordsOf(
      "app.cu -o app -Iinclude -I more -DN=3 --define-macro M -O1 -std=c++14 -gencode "
      "arch=compute_60,code=sm_60 -gencode=arch=compute_61,code=[sm_61,compute_61] "
      "--compiler-options=-fPIC -Xptxas -v --expt-relaxed-constexpr -lineinfo -rdc=false more.cpp "
      "part.o -lm -lcudart -L/opt/lib -use_fast_math --fmad=false -Wno-deprecated-gpu-targets "
      "-Wextra -m64 -ccbin g++ -maxrregcount=32 -g -Wl,-z,now");
  words.insert(words.begin() + 9, {"-Xcompiler", "-Wall,-fopenmp -march=native"});
  const ProgramRequest r = read(sources, words);
  BOOST_TEST(r.output == "app");
  BOOST_TEST(r.arch == "sm_61");
  BOOST_TEST(r.standard == "gnu++14");
  BOOST_TEST(r.level == "-O1");
  expectWords(r.language, Words{"-Iinclude", "-Imore", "-DN=3", "-DM"});
  expectWords(r.host, Words{"-Wall", "-fopenmp", "-march=native", "-fPIC", "-g"});
  expectWords(r.warnings, Words{"-Wextra"});
  expectWords(r.linker, Words{"-Wl,-z,now"});
  BOOST_TEST(r.registerCount == 32U);
  BOOST_TEST(r.fastMath);
  BOOST_TEST(!r.fuse);
  BOOST_TEST((r.product == ProgramRequest::Product::Program));
  BOOST_REQUIRE(r.inputs.size() == 5);
  BOOST_TEST((r.inputs[0].kind == ProgramRequest::Kind::Cuda));
  BOOST_TEST((r.inputs[1].kind == ProgramRequest::Kind::Cpp));
  BOOST_TEST(r.inputs[3].text == "-lm");
  BOOST_TEST(r.inputs[4].text == "-L/opt/lib");
  BOOST_TEST(read(sources, {"app.cu"}).arch == "sm_70");
  BOOST_TEST(read(sources, {"app.cu", "-arch=native"}).arch == "sm_70");
  BOOST_TEST(platforms::ptxFeatureOf("sm_86") == "+ptx71");
  BOOST_TEST(read(sources, {"app.cu", "-arch=sm_100a"}).arch == "sm_100a");
  BOOST_TEST(read(sources, {"app.cu", "-gencode=arch=compute_90,code=sm_90",
                            "-gencode=arch=compute_120,code=sm_120"})
                 .arch == "sm_120");
}

BOOST_AUTO_TEST_CASE(reads_lists_as_nvcc_does) {
  const Sources sources;
  const ProgramRequest r = read(sources, {"app.cu", "-Ia,b", "-I=c", "-I", "d,e f", "-DX=1,Y=\\,",
                                          "--library-path=/p,/q", "-L=/r", "--library", "m,dl",
                                          "-l=rt", "-Werror", "all-warnings", "--Werror=reorder"});
  expectWords(r.language, Words{"-Ia", "-Ib", "-Ic", "-Id", "-Ie f", "-DX=1", "-DY=,"});
  expectWords(r.warnings, Words{"-Werror", "-Werror=reorder"});
  Words linked;
  for (const ProgramRequest::Input& each : r.inputs) linked.push_back(each.text);
  linked.erase(linked.begin());
  expectWords(linked, Words{"-L/p", "-L/q", "-L/r", "-lm", "-ldl", "-lrt"});
}

BOOST_AUTO_TEST_CASE(tells_both_sides_of_macros_and_headers) {
  const Sources sources;
  const ProgramRequest r =
      read(sources, {"app.cu", "-Xcompiler", "-DA=1,-O2", "-Xcompiler=-isystem,dir", "-Xcompiler",
                     "-I", "-Xcompiler", "here", "--extended-lambda", "--use_fast_math"});
  expectWords(r.language, Words{"-DA=1", "-isystemdir", "-Ihere"});
  expectWords(r.host, Words{"-O2"});
  expectWords(r.cuda, Words{"-D__CUDACC_EXTENDED_LAMBDA__=1", "-D__USE_FAST_MATH__=1"});
  const ProgramRequest forwarded =
      read(sources, {"app.cu", "-forward-unknown-to-host-compiler", "-fopenmp", "-lgomp", "-lm",
                     "-Xptxas", "-v,-dlcm=cg"});
  BOOST_TEST(forwarded.inputs.size() == 2);  // without -lgomp
  expectWords(forwarded.host, Words{"-fopenmp"});
  BOOST_REQUIRE(forwarded.notes.size() == 1);
  BOOST_TEST(has(forwarded.notes[0], "-Xptxas -dlcm=cg has no effect"));
}

/// Drops include folders and libraries of an installed toolkit, which makefiles name: its headers
/// do not suit this compiler.
BOOST_AUTO_TEST_CASE(leaves_a_toolkit_alone) {
  const Sources sources;
  const std::filesystem::path include = sources.path / "cuda/include";
  std::filesystem::create_directories(include / "crt");
  for (const char* name : {"cuda_runtime.h", "cuda_device_runtime_api.h"})
    std::ofstream(include / name) << "#error \"another's\"\n";
  sources.write("libcufft.so", "");
  const std::string folder = include.string();
  const ProgramRequest r =
      read(sources, {"app.cu", "-I" + folder, "-isystem", folder, "-Xcompiler", "-I" + folder,
                     "-Iown", "/opt/cuda/lib64/libcudart.so.13", "/opt/lib/libcudart_static.a"});
  expectWords(r.language, Words{"-Iown"});
  BOOST_TEST(r.inputs.size() == 1);
  BOOST_TEST(has(refusal(sources, {"app.cu", "libcufft.so"}), "-lcufft is a library of CUDA's"));
  const Outcome outcome = runProgram(
      "cc -c app.cu -Icuda/include && CPATH=cuda/include '" FERMATA_PROGRAM "' cc -c app.cu",
      sources.path);
  BOOST_TEST(outcome.code == 0, outcome.text);
}

BOOST_AUTO_TEST_CASE(takes_the_words_of_another_host_compiler) {
  const Sources sources;
  const Outcome outcome = runProgram(
      "cc app.cu more.cpp -Xcompiler -Wall,-Wno-maybe-uninitialized,-fno-gcse,-rdynamic -Werror "
      "all-warnings -c",
      sources.path);
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.text == "");
}

BOOST_AUTO_TEST_CASE(tells_make_what_an_object_depends_on) {
  const Sources sources;
  sources.write("own.h", "");
  sources.write("app.cu", std::string("#include \"own.h\"\n") + kKernel);
  std::filesystem::create_directories(sources.path / "out");
  const Outcome outcome = runProgram("cc -MMD -MP -c app.cu -o out/app.o", sources.path);
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.text);
  BOOST_TEST(readFile(sources.path / "out/app.d") == "out/app.o: app.cu own.h\nown.h:\n");
  BOOST_TEST(has(refusal(sources, {"app.cu", "-MD"}), "'-MD' is done beside -c alone"));
}

BOOST_AUTO_TEST_CASE(a_source_is_what_it_is_said_to_be) {
  const Sources sources;
  sources.write("odd.h", kKernel);
  const ProgramRequest r = read(sources, {"more.cpp", "odd.h", "part.o", "-x", "cu"});
  BOOST_TEST((r.inputs[0].kind == ProgramRequest::Kind::Cuda));
  BOOST_TEST((r.inputs[1].kind == ProgramRequest::Kind::Cuda));
  BOOST_TEST((r.inputs[2].kind == ProgramRequest::Kind::Linked));
  BOOST_TEST(has(refusal(sources, {"odd.h"}), "or -x cu"));
  const Outcome ptx = runProgram("cc -x cu --ptx odd.h -o odd.ptx", sources.path);
  BOOST_TEST(ptx.code == 0, ptx.text);
}

BOOST_AUTO_TEST_CASE(division_is_as_exact_as_it_is_asked_for) {
  const Folder folder;
  folder.write("d.cu",
               "__global__ void k(float* a) { a[0] = a[1] / a[2]; a[3] = sqrtf(a[4]); }\n"
               "__global__ void l(float* a) { a[0] = expf(a[1]) + __fadd_rz(a[2], a[3]); }\n");
  const auto ptx = [&](const std::string& words) {
    const Outcome outcome =
        runProgram("cc --ptx d.cu -std=c++11 -o d.ptx " + words + " && cat d.ptx", folder.path);
    BOOST_TEST_REQUIRE(outcome.code == 0, outcome.text);
    return outcome.text;
  };
  const std::string exact = ptx(""), less = ptx("-prec-div=false -prec-sqrt=false -ftz=true"),
                    fast = ptx("-use_fast_math");
  BOOST_TEST(has(exact, "div.rn.f32"));
  BOOST_TEST(has(exact, "sqrt.rn.f32"));
  BOOST_TEST(has(exact, "add.rz.f32"));
  BOOST_TEST(!has(exact, "approx"));
  BOOST_TEST(has(less, "div.full.ftz.f32"));
  BOOST_TEST(has(less, "sqrt.approx.ftz.f32"));
  BOOST_TEST(has(less, "add.rz.ftz.f32"));
  BOOST_TEST(has(fast, "div.approx.ftz.f32"));
  BOOST_TEST(has(fast, "ex2.approx.ftz.f32"));
}

BOOST_AUTO_TEST_CASE(refuses_by_name_what_it_cannot_do) {
  const Sources sources;
  sources.write("odd.f90", "");
  const struct {
    Words words;
    const char* says;
  } refused[] = {
      {{}, "nothing to compile; expected sources"},
      {{"nowhere.cu"}, "'nowhere.cu' cannot be read"},
      {{"odd.f90"}, "of no known kind; expected .cu"},
      {{"app.cu", "-dc", "-ptx"}, "two of -c, -dc, -dlink, -lib and -ptx are given"},
      {{"app.cu", "-rdc=perhaps"}, "expected true or false"},
      {{"app.cu", "-cubin"}, "there is no machine code of a GPU; expected --ptx"},
      {{"app.cu", "-lcufft"}, "-lcufft is a library of CUDA's that has no stand-in"},
      {{"app.cu", "-l", "cufftw"}, "-lcufftw"},
      {{"app.cu", "-arch=sm_20"}, "does not compile for 'sm_20'; expected one of sm_30"},
      {{"app.cu", "-gencode", "sm_70"}, "expected arch=compute_70,code=sm_70"},
      {{"app.cu", "-std=c++03"}, "expected c++11, which CUDA's headers need"},
      {{"app.cu", "-lnvidia-ml"}, "-lnvidia-ml is a library of CUDA's"},
      {{"app.cu", "--library=m,cupti"}, "-lcupti is a library of CUDA's"},
      {{"app.cu", "-odir", "objects"}, "'-odir' is not done"},
      {{"app.cu", "-optf", "options"}, "'-optf' is not done"},
      {{"app.cu", "-objtemp"}, "'-objtemp' is not done"},
      {{"app.cu", "-x", "f95"}, "-x is 'f95'; expected cu, hip, c++ or c"},
      {{"app.cu", "--Werror", "everything"}, "-Werror is 'everything'"},
      {{"app.cu", "-O4"}, "-O4 is no level"},
      {{"app.cu", "-maxrregcount=256"}, "-maxrregcount=256 is no number of registers; expected 1"},
      {{"app.cu", "-maxrregcount", "few"}, "-maxrregcount=few is no number"},
      {{"app.cu", "-fopenmp"}, "'-fopenmp' is no option here"},
      {{"app.cu", "--frobnicate"}, "'--frobnicate' is no option here"},
      {{"app.cu", "-I"}, "'-I' has no value"},
      {{"app.cu", "-o", "a", "-o", "b"}, "-o is given twice"},
      {{"app.cu", "-m32"}, "expected 64"},
      {{"app.cu", "-c", "--ptx"}, "are given; expected one"},
      {{"app.cu", "more.cpp", "-c", "-o", "x.o"}, "2 sources make one each"},
      {{"more.cpp", "--ptx"}, "has no device code"},
      {{"part.o", "-c"}, "nothing to compile"},
  };
  for (const auto& each : refused)
    BOOST_TEST(has(refusal(sources, each.words), each.says),
               "'" << refusal(sources, each.words) << "'; expected '" << each.says << "'");
}

BOOST_AUTO_TEST_CASE(words_within_a_word) {
  expectWords(platforms::wordsWithin("-a,-b  -c\\,d,"), Words{"-a", "-b", "-c,d"});
}

// Launch bounds win, as with ptxas.
BOOST_AUTO_TEST_CASE(limits_the_registers_of_kernels_without_bounds) {
  const Sources sources;
  sources.write("two.cu",
                std::string(kKernel) +
                    "__global__ __launch_bounds__(256) void bounded(float* a) { *a = 1; }\n");
  BOOST_REQUIRE(runProgram("cc --ptx -maxrregcount=40 two.cu", sources.path).code == 0);
  const std::string ptx = readFile(sources.path / "two.ptx");
  const std::size_t twice = ptx.find(".entry _Z5twicePf("),
                    bounded = ptx.find(".entry _Z7boundedPf(");
  BOOST_REQUIRE(std::max(twice, bounded) < ptx.size());
  BOOST_TEST(ptx.substr(twice, ptx.find('{', twice) - twice).find(".maxnreg 40") < ptx.size());
  BOOST_TEST(ptx.substr(bounded, ptx.find('{', bounded) - bounded).find(".maxnreg") ==
             std::string::npos);
  const std::string none = ".visible .entry k()\n{\nret;\n}\n";
  BOOST_TEST(platforms::withRegisterCount(none, 32) ==
             ".visible .entry k()\n.maxnreg 32\n{\nret;\n}\n");
}

// Expected: ptxas 13.0's machine code of these bodies.
BOOST_AUTO_TEST_CASE(fuses_products_as_the_assembler_does) {
  const auto fused = [](const std::string& body) {
    const std::string head = ".visible .entry k()\n{\n", tail = "ret;\n}\n";
    const std::string ptx = platforms::withFusedProducts(head + body + tail);
    BOOST_TEST_REQUIRE(ptx.rfind(head.substr(0, head.size() - 1), 0) == 0);
    std::string made;
    for (const char c : ptx.substr(head.size() - 1, ptx.size() - head.size() - tail.size() + 1)) {
      if (c != '\t' && c != '\n') made += c;
    }
    return made;
  };
  const std::string p = "mul.f32 %f3, %f1, %f2;", q = "mul.f32 %f6, %f4, %f5;";
  BOOST_TEST(fused(p + "add.f32 %f9, %f8, %f3;") == "fma.rn.f32 %f9, %f1, %f2, %f8;");
  BOOST_TEST(fused(p + "sub.f32 %f9, %f3, %f8;") ==
             ".reg .f32 %n<1>;neg.f32 %n0, %f8;fma.rn.f32 %f9, %f1, %f2, %n0;");
  BOOST_TEST(
      fused("mul.f64 %fd3, %fd1, 0d4008000000000000;sub.f64 %fd9, 0d3FF0000000000000, %fd3;") ==
      ".reg .f64 %nd<1>;neg.f64 %nd0, %fd1;fma.rn.f64 %fd9, %nd0, 0d4008000000000000, "
      "0d3FF0000000000000;");
  // The first operand of two products; all sums of a product, or none.
  BOOST_TEST(fused(q + p + "add.f32 %f9, %f3, %f6;") == q + "fma.rn.f32 %f9, %f1, %f2, %f6;");
  BOOST_TEST(fused(p + q + "add.f32 %f9, %f3, %f6;sub.f32 %f10, %f3, %f6;") ==
             ".reg .f32 %n<1>;" + q +
                 "fma.rn.f32 %f9, %f1, %f2, %f6;neg.f32 %n0, %f6;fma.rn.f32 %f10, %f1, %f2, %n0;");
  for (const std::string& kept :
       {p + "add.f32 %f9, %f3, %f8;st.f32 [%rd1], %f3;", p + "add.f32 %f9, %f3, %f3;",
        p + "add.f32 %f9, %f3, %f8;fma.rn.f32 %f10, %f4, %f5, %f3;",
        p + "bra L;add.f32 %f9, %f3, %f8;", p + "add.rn.f32 %f9, %f3, %f8;",
        p + "add.ftz.f32 %f9, %f3, %f8;",
        p + "mov.f32 %f1, %f8;mov.f32 %f1, %f7;add.f32 %f9, %f3, %f8;",
        std::string("mul.rn.f32 %f3, %f1, %f2;add.f32 %f9, %f3, %f8;")})
    BOOST_TEST(fused(kept) == kept);
}

BOOST_AUTO_TEST_CASE(names_the_line_that_a_launch_would_refuse) {
  const std::string ptx =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() {\n"
      ".loc 1 17 3\nno.such.opcode;\nret;\n}\n.file 1 \"./app.cu\"\n";
  const std::string text = platforms::refusalOf(ptx, "app.cu");
  BOOST_TEST(text.rfind("./app.cu:17: ", 0) == 0, text);
  BOOST_TEST(has(text, "no.such.opcode"), text);
  BOOST_TEST(platforms::refusalOf(".version 7.0\n.target sm_70\n.address_size 64\n", "a").empty());
}

BOOST_AUTO_TEST_CASE(spells_sources_for_clang) {
  using platforms::clangText;
  BOOST_TEST(clangText("asm(\"%0, %laneid;\" : \"=r\"(a))") ==
             "asm(\"%0, %%laneid;\" : \"=r\"(a))");
  BOOST_TEST(clangText("asm volatile(\"%0, %\" #x : O)") == "asm volatile(\"%0, %%\" #x : O)");
  BOOST_TEST(clangText("asm(\"%2 %1, %10;\" :: [n] \"r\"(f(a, \"r\")), \"n\"(b) : \"memory\")") ==
             "asm(\"%%2 %1, %%10;\" :: [n] \"r\"(f(a, \"r\")), \"n\"(b) : \"memory\")");
  BOOST_TEST(clangText("extern \"C\"__global__ void f();") == "extern \"C\" __global__ void f();");
  BOOST_TEST(clangText(" # define U\t#pragma  unroll 2 // x\nU") ==
             " # define U\t_Pragma(\"unroll 2\") // x\nU");
  BOOST_TEST(clangText("#define M # pragma message \"a\"\n#define F(x) #x") ==
             "#define M _Pragma(\"message \\\"a\\\"\")\n#define F(x) #x");
  BOOST_TEST(clangText("asm(\"%1 %2\" : \"=r\"(a) : \"r\"(f(b)) \"l\"(c) [d] \"n\"(0))") ==
             "asm(\"%1 %2\" : \"=r\"(a) : \"r\"(f(b)) ,\"l\"(c) ,[d] \"n\"(0))");
  // Operands, their modifiers, escaped names, other statements, comments: as they are.
  for (const std::string text :
       {"asm(\"%0 %[a] %k1 %w[a] %%tid.x\" : [a] \"=r\"(a))", "asm(\"mov.u32 %r1, %laneid;\");",
        "printf(\"%d %s\", a ? b : c)", "// asm(\"%laneid\" : )\n/* \"C\"__x */",
        "asm(\"%1 %9\" : \"=r\"(a) : MORE(b))", "'\"'; 1'0; \"s\"s", "R\"(asm(\"%laneid\" : ))\"",
        "asm(\"%tid.x"})
    BOOST_TEST(clangText(text) == text);
}

BOOST_AUTO_TEST_CASE(names_the_users_line_in_a_text_it_spells_anew) {
  const Folder folder;
  folder.write("inc.h", "extern \"C\"__global__ void f() {}\n");
  folder.write("app.cu", "#include \"inc.h\"\nextern \"C\"__global__ void k() {\n  wrong();\n}\n");
  runProgram("cc -c app.cu", folder.path)
      .ends(1, "app.cu:3:3: error: use of undeclared identifier");
  folder.write("inc.h", "extern \"C\"__global__ void f() { wrong(); }\n");
  runProgram("cc -c app.cu", folder.path)
      .ends(1, "inc.h:1:34: error: use of undeclared identifier");
}

BOOST_AUTO_TEST_CASE(makes_what_is_asked_for_or_nothing) {
  const Sources sources;
  const auto in = [&](const std::string& name) { return sources.path / name; };
  BOOST_TEST(runProgram("cc app.cu more.cpp -c", sources.path).code == 0);
  BOOST_TEST(std::filesystem::exists(in("app.o")));
  BOOST_TEST(std::filesystem::exists(in("more.o")));
  BOOST_TEST(has(readFile(in("app.o")), ".visible .entry _Z5twicePf"));  // the object holds the PTX

  const Outcome ptx = runProgram("cc app.cu --ptx -o - && false; cat ./-", sources.path);
  BOOST_TEST(has(ptx.text, ".visible .entry _Z5twicePf"), ptx.text);
  BOOST_TEST(has(ptx.text, ".file\t1 \"./app.cu\"") + has(ptx.text, ".file\t1 \"app.cu\"") > 0,
             ptx.text);

  // The compiler's own message and exit code reach the user; the earlier object stays.
  const std::string before = readFile(in("app.o"));
  sources.write("app.cu", "__global__ void k() { nothing; }\n");
  const Outcome failed = runProgram("cc more.cpp app.cu -c", sources.path);
  BOOST_TEST(failed.code == 1);
  BOOST_TEST(has(failed.text, "app.cu:1:23: error: use of undeclared identifier 'nothing'"),
             failed.text);
  BOOST_TEST(readFile(in("app.o")) == before);

  const Outcome refused = runProgram("cc app.cu -lcufft", sources.path);
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.text.rfind("fermata: error: -lcufft", 0) == 0, refused.text);
}

BOOST_AUTO_TEST_CASE(numbers_of_16_bits_are_right_on_the_host) {
  const Folder folder;
  const std::string source = FERMATA_SOURCE_DIR "/tests/cuda_programs/small_floats.cu";
  const Outcome compiled =
      runProgram("cc -c -O1 -Wall -Wextra -o small.o '" + source + "'", folder.path);
  BOOST_TEST_REQUIRE(compiled.code == 0, compiled.text);
  BOOST_TEST(compiled.text == "");
  // A source without a kernel registers nothing and needs no runtime.
  const std::string object = (folder.path / "small.o").string(),
                    program = (folder.path / "small").string();
  const auto run = [](const Words& words) {
    return platforms::runCommand(words, platforms::CommandErrors::Shown, "it");
  };
  BOOST_TEST_REQUIRE(run({"clang++-16", object, "-o", program}).code == 0);
  const platforms::CommandOutcome outcome = run({program});
  BOOST_TEST(outcome.code == 0, outcome.output);
}

BOOST_AUTO_TEST_SUITE_END()
