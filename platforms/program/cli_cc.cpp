// fermata cc SOURCES -o PROGRAM
#include <memory>

#include <fermata/platforms/program/cc/compile_program.h>
#include <fermata/platforms/program/cli.h>

namespace fermata::platforms {

void addCcCommand(CLI::App& app, int& exitCode) {
  CLI::App* command = app.add_subcommand(
      "cc", "Compile an unmodified CUDA program, both sides, to run on the model");
  command->prefix_command();
  command->footer(
      "SOURCES: .cu, .cpp, .cc, .cxx, .c; .o, .a and .so are linked. Options are nvcc's:\n"
      "  -o FILE  -c  -MD  -MMD  --ptx  -I DIR  -D NAME[=VALUE]  -U NAME  -include FILE\n"
      "  -l NAME  -L DIR  -x cu (of all sources)  -std=c++11 .. c++20 (c++17)\n"
      "  -O0 .. -O3 (both sides; -O3 where it is not said)  -G (device code at -O0)  -g\n"
      "  -arch=sm_30 .. sm_90 (sm_70)  -gencode arch=..,code=..\n"
      "  -fmad=false (a * b + c rounds twice, as on the host)  -ftz  -prec-div  -prec-sqrt\n"
      "  -use_fast_math  -Xcompiler WORDS  -Xlinker WORDS  -W...  -w  -shared  -m64\n"
      "  --verbose (show the commands)  --keep (leave the PTX)\n"
      "Macros and headers within -Xcompiler reach both sides; its -fopenmp needs libomp-16-dev.\n"
      "Taken, without an effect: -Xptxas, -maxrregcount, -lineinfo (always), -ccbin, --threads,\n"
      "  -default-stream, -lcudart, -lcuda, -I of a toolkit's own headers; and but for the macros\n"
      "  that they define --expt-relaxed-constexpr and --extended-lambda.\n"
      "Example:\n  fermata cc app.cu kernels.cu -I include -o app");
  command->callback([command, &exitCode] {
    exitCode = compileProgram(readProgramRequest(command->remaining()));
  });
}

}  // namespace fermata::platforms
