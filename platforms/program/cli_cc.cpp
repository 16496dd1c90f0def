// fermata cc SOURCES -o PROGRAM
#include <memory>

#include <fermata/platforms/program/cc/compile_program.h>
#include <fermata/platforms/program/cli.h>

namespace fermata::platforms {

void addCcCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "cc", "Compiles an unmodified CUDA program, both sides, to run on the model");
  command->prefix_command();
  command->footer(
      "SOURCES are .cu, .hip, .cpp, .cc, .cxx and .c files. Files .o, .a and .so are linked.\n"
      "Options are those of nvcc:\n"
      "  -o FILE  -c  -rdc=true  -dc (device code is linked later)  -dlink  -lib\n"
      "  -MD  -MMD  --ptx  -fatbin  -I DIR  -D NAME[=VALUE]  -U NAME  -include FILE\n"
      "  -l NAME  -L DIR  -x cu, -x hip (kind of all sources)  -std=c++11 .. c++20 (default: "
      "c++17)\n"
      "  -O0 .. -O3 (both sides, default: -O3)  -G (device code at -O0)  -g\n"
      "  -arch=sm_30 .. sm_121a (default: sm_70)  -gencode arch=..,code=..\n"
      "  -fmad=false (a * b + c rounds twice, as on the host)  -ftz  -prec-div  -prec-sqrt\n"
      "  -maxrregcount=N (registers per thread of kernels without launch bounds)\n"
      "  -use_fast_math  -Xcompiler WORDS  -Xlinker WORDS  -W...  -w  -shared  -m64\n"
      "  --verbose (shows the commands)  --keep (keeps the PTX)\n"
      "Macros and headers within -Xcompiler reach both sides.\n"
      "-Xcompiler -fopenmp needs libomp-16-dev.\n"
      "Accepted without effect: -Xptxas, -lineinfo (always on), -ccbin, --threads, "
      "-default-stream,\n"
      "  -lcudart, -lcuda, -I of a toolkit's own headers.\n"
      "Accepted only to define its macro: --extended-lambda.\n"
      "Examples:\n  fermata cc app.cu kernels.cu -I include -o app");
  command->callback([command, &invocation] {
    invocation.exitCode = compileProgram(readProgramRequest(command->remaining()));
  });
}

void addHipccCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "hipcc", "Compiles an unmodified HIP program, both sides, to run on the model");
  command->prefix_command();
  command->footer(
      "SOURCES are .hip, .cpp, .cc, .cxx and .cu files, all of them HIP, and .c files.\n"
      "Files .o, .a and .so are linked. Options are those of `fermata cc` (-o FILE, -c ...), and\n"
      "  --offload-arch=gfx942 (default; gfx9: waves of 64 lanes; gfx10 to gfx12: of 32)\n"
      "  -fgpu-rdc (device code is linked later)\n"
      "Other options are the host compiler's.\n"
      "Examples:\n  fermata hipcc app.hip -o app");
  command->callback([command, &invocation] {
    invocation.exitCode = compileProgram(readProgramRequest(command->remaining(), true));
  });
}

}  // namespace fermata::platforms
