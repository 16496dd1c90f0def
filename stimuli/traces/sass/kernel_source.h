// Opens one kernel's trace for a replay: its compiled form, or its text, which is compiled first.
#pragma once

#include <memory>
#include <string>

#include <fermata/stimuli/traces/sass/kernel_form.h>

namespace fermata::sass {

struct SassOptions {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  TraceSettings settings;
  std::string opcodeFile;  ///< path of sass_opcodes.toml
  /// Size in bytes from which a trace leaves its compiled form beside itself; kNever: none does.
  std::uint64_t compileFrom = std::uint64_t{1} << 20;
};

/// The pieces of a trace, read from any place.
class PieceBytes {
 public:
  virtual ~PieceBytes() = default;
  /// Reads `size` bytes at `place`. Throws InputError if they are not there.
  virtual void read(char* to, std::size_t size, std::uint64_t place) const = 0;
};

struct OpenKernel {
  KernelForm form;
  std::unique_ptr<PieceBytes> pieces;
};

/// Throws InputError.
OpenKernel openKernel(const std::string& path, const OpcodeTable& opcodes,
                      const SassOptions& options);
/// Reads a kernel's trace from any text, without files beside it. `file` is the name for errors.
OpenKernel readKernel(std::unique_ptr<TraceBytes> bytes, const std::string& file,
                      const OpcodeTable& opcodes, const TraceSettings& settings);

}  // namespace fermata::sass
