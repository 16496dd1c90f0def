// Device code of several objects and static libraries, linked as makefiles for nvcc do it.
#include <boost/test/unit_test.hpp>

#include <string>

#include "tests/support/program.h"

namespace {

using namespace fermata::test;

const std::string kFiles = FERMATA_SOURCE_DIR "/tests/programs/separate/";

/// Compiles the files of the program to objects, and two of them to a library.
struct Objects {
  Objects() {
    for (const char* name : {"main", "parts", "library_device", "library_kernel"})
      compile(std::string("-arch=sm_70 -dc ") + kFiles + name + ".cu -o " + name + ".o");
    runShell("cd '" + folder.path.string() +
             "' && ar rcs libown.a library_device.o library_kernel.o")
        .ok();
  }
  Outcome cc(const std::string& words) const { return runProgram("cc " + words, folder.path); }
  void compile(const std::string& words) const {
    const Outcome made = cc(words);
    BOOST_TEST(made.text == "");  // no warning
    made.ok();
  }
  void runs(const std::string& program) const {
    runProgram("exec --functional --quiet -- ./" + program, folder.path).ok("PASS");
  }

  const Folder folder;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(objects_and_a_library_are_one_program, Objects) {
  compile("-rdc=true main.o parts.o -L. -lown -o app");
  runs("app");
  runProgram("exec --platform sm_70 --csv -- ./app", folder.path).ok("fill", "PASS", "cycles");
}

BOOST_AUTO_TEST_CASE(a_kernel_launches_one_of_another_file) {
  const Folder folder;
  folder.write("parent.cu", R"(
#include <cstdio>
extern __global__ void child(int* a);
__device__ void launch(int* a) { child<<<1, 32>>>(a); }
__global__ void parent(int* a) { if (threadIdx.x == 0) launch(a); }
int main() {
  int* a;
  cudaMallocManaged(&a, 128);
  parent<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  puts(a[5] == 5 ? "PASS" : "FAIL");
}
)");
  folder.write("child.cu", "__global__ void child(int* a) { a[threadIdx.x] = threadIdx.x; }\n");
  const Outcome made = runProgram("cc -rdc=true parent.cu child.cu -o app", folder.path);
  BOOST_TEST(made.text == "");
  runProgram("exec --functional --quiet -- ./app", folder.path).ok("PASS");
}

BOOST_FIXTURE_TEST_CASE(a_host_linker_takes_what_dlink_makes, Objects) {
  compile("-arch=sm_70 -dlink main.o parts.o libown.a -o dlink.o");
  const std::string library = FERMATA_RUNTIME_FOLDER;
  runShell("cd '" + folder.path.string() + "' && g++ main.o parts.o dlink.o -L. -lown -L'" +
           library + "' -Wl,-rpath,'" + library + "' -lcudadevrt -lcudart -o app")
      .ok();
  runs("app");
}

BOOST_FIXTURE_TEST_CASE(sources_are_compiled_and_linked_at_once, Objects) {
  compile("-rdc=true " + kFiles + "main.cu " + kFiles + "parts.cu " + kFiles +
          "library_device.cu " + kFiles + "library_kernel.cu -o app");
  runs("app");
  compile("-lib library_device.o library_kernel.o -o libother.a");
  compile("main.o parts.o -L. -lother -o other");
  runs("other");
}

BOOST_FIXTURE_TEST_CASE(the_linker_names_symbols_without_a_definition_or_with_two, Objects) {
  cc("main.o -L. -lown -o app")
      .refused("'counter' of main.o", "'weighed(float, int)' of main.o",
               "expected a definition in another object or library");
  compile("-dc " + kFiles + "two.cu -o two.o");
  cc("-dlink main.o parts.o two.o libown.a -o dlink.o")
      .refused("'counter' is defined in parts.o and in two.o; expected one definition");
}

BOOST_AUTO_TEST_CASE(host_files_and_earlier_includes_know_small_numbers) {
  const Folder folder;
  folder.write("first.h",
               "#include <tuple>\n#define VALUE std::get<1>(std::tuple<int, int>(1, 7))\n");
  folder.write("host.cpp",
               "#include <cublas_v2.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
               "float sum(__half a, __nv_bfloat16 b) {\n"
               "  return __half2float(a * a) + __bfloat162float(b);\n}\n");
  folder.write("main.cu",
               "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cstdio>\n"
               "float sum(__half a, __nv_bfloat16 b);\n"
               "__global__ void k(int* to) { *to = VALUE; }\n"
               "int main() {\n  int* to;\n  cudaMallocManaged(&to, 4);\n  k<<<1, 1>>>(to);\n"
               "  cudaDeviceSynchronize();\n"
               "  std::printf(\"%d %g\\n\", *to, sum(__half(1.5f), __nv_bfloat16(2.0f)));\n}\n");
  runProgram("cc -include first.h main.cu host.cpp -o app", folder.path).ok();
  runProgram("exec --functional --quiet -- ./app", folder.path).ok("7 4.25");
}

BOOST_AUTO_TEST_CASE(a_container_of_device_code_is_loaded) {
  const Folder folder;
  folder.write("kernel.cu", "extern \"C\" __global__ void k(int* to) { *to = 7; }\n");
  folder.write(
      "main.cpp",
      "#include <cuda.h>\n#include <cstdio>\n#include <fstream>\n#include <iterator>\n"
      "#include <string>\n"
      "int main() {\n  CUcontext context;\n  CUmodule module = nullptr, other = nullptr;\n"
      "  CUfunction k;\n  CUdeviceptr to;\n  int got = 0;\n  cuInit(0);\n"
      "  cuCtxCreate(&context, 0, 0);\n  std::ifstream in(\"kernel.fatbin\");\n"
      "  const std::string text{std::istreambuf_iterator<char>(in), {}};\n"
      "  cuModuleLoad(&other, \"kernel.fatbin\");\n"
      "  cuModuleLoadFatBinary(&module, text.c_str());\n"
      "  cuModuleGetFunction(&k, module, \"k\");\n  cuMemAlloc(&to, 4);\n"
      "  void* arguments[] = {&to};\n"
      "  cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);\n"
      "  cuMemcpyDtoH(&got, to, 4);\n  std::printf(\"%d %d\\n\", got, other != nullptr);\n}\n");
  runProgram("cc -fatbin kernel.cu", folder.path).ok();
  runProgram("cc main.cpp -o app", folder.path).ok();
  runProgram("exec --functional --quiet -- ./app", folder.path).ok("7 1");
}

BOOST_AUTO_TEST_CASE(a_launch_by_a_kernel_in_a_macro_is_refused) {
  const Folder folder;
  folder.write("nested.cu",
               "#define GO(kernel) kernel<<<1, 1>>>()\n__global__ void child() {}\n"
               "__global__ void parent() { GO(child); }\n"
               "int main() { parent<<<1, 1>>>(); }\n");
  const Outcome compiled = runProgram("cc nested.cu -o app", folder.path);
  BOOST_TEST(compiled.code != 0);
  compiled.says("nested.cu:3:", "a launch by a kernel that 'cc' cannot rewrite");
}
