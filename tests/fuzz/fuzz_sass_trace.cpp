// libFuzzer target: any bytes as a trace of machine code are replayed, or refused with InputError.
// The first byte chooses the form: text, .xz or .tracez, a list of accesses (.memtrace or .mem).
#include <fermata/stimuli/traces/sass/sass_workload.h>
#include "tests/fuzz/input.h"
#include "tests/fuzz/replay.h"

namespace {

const fermata::sass::OpcodeTable& opcodes() {
  static const fermata::sass::OpcodeTable table(FERMATA_OPCODES);
  return table;
}

void replay(fermata::sass::OpenKernel kernel, const fermata::sass::SassOptions& options) {
  constexpr std::size_t kMostWarps = 64;
  if (2 * kernel.form.header.warps() > kMostWarps) return;  // two blocks at a time
  fermata::sass::SassWorkload workload(std::move(kernel), opcodes(), options);
  fermata::fuzz::replay(workload);
  workload.warning();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  fermata::sass::SassOptions options;
  options.settings.unknownAsInteger = (bytes[0] & 4) != 0;
  options.compileFrom = fermata::sass::SassOptions::kNever;
  try {
    if ((bytes[0] & 8) != 0) {
      static fermata::fuzz::InputFile nvbit(".memtrace"), hyFiss(".mem");
      fermata::fuzz::InputFile& file = (bytes[0] & 1) == 0 ? nvbit : hyFiss;
      replay(fermata::sass::openKernel(file.write(text), opcodes(), options), options);
    } else if ((bytes[0] & 3) < 2) {
      static fermata::fuzz::InputFile xz(".traceg.xz"), tracez(".tracez");
      fermata::fuzz::InputFile& file = (bytes[0] & 3) == 0 ? xz : tracez;
      replay(fermata::sass::openKernel(file.write(text), opcodes(), options), options);
    } else {
      replay(fermata::sass::readKernel(fermata::sass::bytesOf(text), "fuzz.traceg", opcodes(),
                                       options.settings),
             options);
    }
  } catch (const fermata::InputError&) {
  }
  return 0;
}
