// Launch files of a user on the command line: names, shared memory, stray loads, parameters.
#include "tests/support/program.h"

using namespace fermata::test;

BOOST_FIXTURE_TEST_SUITE(launch_files, Folder)

BOOST_AUTO_TEST_CASE(a_workload_has_its_parameters_listed) {
  runProgram("workloads transpose")
      .says("transpose: matrix transposition through a shared tile\n",
            "tile            16  16 or 32    side of the shared tile, in words\n",
            "n              128  16 to 4096");
  runProgram("workloads genindex").says("consecutive threads with the stride");
  write("mine.toml",
        "description = 'mine'\nkernel = 'k.ptx'\n[parameters]\nrows = 7\n"
        "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n");
  runProgram("workloads mine.toml", path)
      .says("mine.toml: mine\n", "rows             7  an integer");
  runProgram("workloads transpos")
      .refused(
          "no workload 'transpos'; did you mean 'transpose'? expected one of aes, aesdec, "
          "atomicbench, attention, "
          "backprop, ");
}

BOOST_AUTO_TEST_CASE(a_kernel_takes_an_image_of_the_users) {
  write(
      "photo.pgm", "P2\n8 4\n4095\n" + [] {
        std::string levels;
        for (int i = 0; i < 32; ++i) levels += std::to_string(i * 130) + " ";
        return levels;
      }());
  const Outcome run = runProgram(
      "run gtx480 histogram --param image=photo.pgm --param layout=stretched --out r", path);
  BOOST_TEST_CONTEXT(run.text) {
    run.ok();
    const std::string row = readFile(path / "r" / "runs.csv");
    BOOST_TEST(has(row, "image=photo.pgm;layout=stretched;"), row);
  }
  runProgram("run gtx480 histogram --param image=foto.pgm", path)
      .refused("/foto.pgm' cannot be read; expected a picture in PGM");
  runProgram("workloads hough").says("image           natural  natural, or a file");
}

BOOST_AUTO_TEST_CASE(stray_reads_are_let_pass_with_a_warning) {
  write("s.cu",
        "extern \"C\" __global__ void k(const int* in, int* out) {\n"
        "  out[threadIdx.x] = in[(int)threadIdx.x - 2];\n}\n");
  write("s.toml",
        "kernel = 's.cu'\n[buffers.in]\ntype = 's32'\ncount = 32\nfill = { iota = {} }\n"
        "[buffers.out]\ntype = 's32'\ncount = 32\n[[launch]]\nentry = 'k'\ngrid = 3\nblock = 32\n"
        "arguments = [{ buffer = 'in' }, { buffer = 'out' }]\n");
  runProgram("run gtx480 s.toml", path).refused("expected a buffer there, or --allow-stray-reads");
  for (const char* command : {"run gtx480 s.toml --quiet --allow-stray-reads",
                              "search --platform gtx480 s.toml --allow-stray-reads"}) {
    runProgram(command, path)
        .ok("fermata: warning: s: 6 loads of lanes outside of every buffer "
            "gave zeros; the first: s.cu, compiled:",
            "is 8 bytes before 'in'", "source s.cu:2");
  }
}

BOOST_AUTO_TEST_CASE(kernels_are_called_what_the_launch_file_says) {
  write("t.cu",
        "namespace ns {\ntemplate <class T, int N> __global__ void k(T* out) {\n"
        "  __shared__ T tile[32];\n  tile[threadIdx.x] = N;\n  __syncthreads();\n"
        "  out[threadIdx.x] = tile[31 - threadIdx.x];\n}\n"
        "template __global__ void k<int, 3>(int*);\n}\n");
  write("t.toml",
        "kernel = 't.cu'\n[buffers.out]\ntype = 's32'\ncount = 32\n[[launch]]\n"
        "entry = 'ns::k<int, 3>'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'out' }]\n");
  runProgram(
      "run gtx480 t.toml --out r --record t.csv --set scratchpad.indexer='regions at=9 | mod 32 | "
      "mod 32' --set scratchpad.instruction_hashes='ns::k<int,3>=0'",
      path)
      .ok();
  BOOST_TEST(has(readFile(path / "r" / "instructions.csv"), "\"ns::k<int,3>\""));
  runProgram("run gtx480 t.csv --out again", path).ok();
  BOOST_TEST(has(readFile(path / "again" / "instructions.csv"), "\"ns::k<int,3>\""));
}

// More shared memory than any modelled GPU has: the platform decides, for static and dynamic alike.
BOOST_AUTO_TEST_CASE(the_platform_limits_shared_memory) {
  write("big.cu",
        "extern \"C\" __global__ void fixed(int* out) {\n  __shared__ int tile[25000];\n"
        "  tile[24999 - threadIdx.x] = threadIdx.x + 1;\n  __syncthreads();\n"
        "  out[threadIdx.x] = tile[24999 - (31 - threadIdx.x)];\n}\n"
        "extern __shared__ int room[];\nextern \"C\" __global__ void open(int* out) {\n"
        "  room[24999 - threadIdx.x] = threadIdx.x;\n  __syncthreads();\n"
        "  out[threadIdx.x] += room[24999 - threadIdx.x];\n}\n");
  write("big.toml",
        "kernel = 'big.cu'\n[buffers.out]\ntype = 's32'\ncount = 32\nfill = 'zero'\n"
        "[[launch]]\nentry = 'fixed'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'out' }]\n"
        "[[launch]]\nentry = 'open'\ngrid = 1\nblock = 32\nshared = 100000\n"
        "arguments = [{ buffer = 'out' }]\n[[check]]\nbuffer = 'out'\nfile = 'good.bin'\n");
  write("good.bin", [] {
    std::string bytes;
    for (int i = 0; i < 32; ++i) bytes += std::string("\x20\0\0\0", 4);
    return bytes;
  }());
  runProgram("run gtx480 big.toml --out results", path)
      .refused(
          "big.toml:6: kernel 'fixed': one CTA does not fit on the SM: it needs "
          "100096 bytes of shared memory, scratchpad.bytes is 49152");
  runProgram("run gtx480 big.toml --set scratchpad.bytes=100096", path).ok();
  runProgram("search --platform gtx480 big.toml", path).says("one CTA does not fit on the SM");
  runProgram("run gtx480 big.toml --software-hash 'perm k=5' --set scratchpad.bytes=131072", path)
      .ok();
  runProgram("run gtx480 big.toml --software-hash 'perm k=5'", path)
      .says("over 102324; expected at most the 49152 of the scratchpad");
}

BOOST_AUTO_TEST_SUITE_END()
