// A PTX module: text in, decoded kernels out. All checks happen here, before anything runs.
//
// Accepts what clang (`.version 4.2`, sm_20, 32- and 64-bit) and nvcc (`.version` to 9.0, 64-bit)
// write. A form that is not supported is never skipped: parse() throws an InputError with file,
// line, column and the form. Entries and every `.func` they reach are decoded; a `.func` that
// nothing calls is only checked for its syntax.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::ptx {

struct CompiledPlace;
struct KernelCode;
struct MachineCode;
struct ModuleData;

/// One `.param` of an entry. Scalars have `count` 1; structs by value are arrays of .b8.
struct KernelParameter {
  std::string name;
  unsigned offset = 0;     ///< in the parameter block
  unsigned bytes = 0;      ///< size of the whole parameter
  unsigned alignment = 1;  ///< a power of two
  std::string type;        ///< element type as written, without the dot: "u64", "f32", "b8"
  unsigned count = 1;      ///< elements
  bool isFloat = false;
  bool isArray = false;
};

/// Names and places of an instruction, by PC, for profiles.
struct CodeText {
  std::string opcode;          ///< "ld.shared.f32"
  std::string file;            ///< source file by .loc; without one, the PTX file
  std::uint32_t line = 0;      ///< line in `file`; 0: the compiler gave none
  std::uint32_t nearLine = 0;  ///< used if `line` is 0: see findNearLines(); 0: none
  std::uint32_t ptxLine = 0;
  std::uint32_t ptxColumn = 0;
};

/// Facts of a kernel besides its instructions.
struct KernelFacts {
  std::string name;
  std::vector<KernelParameter> parameters;
  unsigned parameterBytes = 0;
  unsigned staticSharedBytes = 0;
  bool usesDynamicShared = false;
  unsigned localBytes = 0;
  unsigned registersNeeded = 0;  ///< estimate, without the limit
  unsigned registerLimit = 0;    ///< registerLimit() of the entry
  std::uint32_t requiredThreads = 0;
  std::uint32_t maximumThreads = 0;
  std::array<std::uint32_t, 3> requiredCluster{};
  std::uint32_t maximumClusterRank = 0;
  bool needsCluster = false;
};

/// A decoded entry, with the functions that it calls by name inlined.
class Kernel {
 public:
  explicit Kernel(std::unique_ptr<KernelCode> code);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const std::string& name() const { return facts_.name; }
  const std::vector<KernelParameter>& parameters() const { return facts_.parameters; }
  /// Bytes of the parameter block: the end of the last parameter.
  unsigned parameterBytes() const { return facts_.parameterBytes; }
  unsigned staticSharedBytes() const { return facts_.staticSharedBytes; }
  /// True when the kernel names an `.extern .shared` array: it expects dynamic shared memory.
  bool usesDynamicShared() const { return facts_.usesDynamicShared; }
  /// Bytes of `.local` memory per thread.
  unsigned localBytes() const { return facts_.localBytes; }
  /// Maximum number of live 32-bit registers over the control-flow graph (64-bit ones count 2,
  /// predicates 0) plus kReservedRegisters, up to the entry's limit. An estimate: ptxas may keep
  /// more (scheduling, addresses) or fewer (rematerialisation).
  unsigned registersPerThread() const {
    return std::min(facts_.registersNeeded, facts_.registerLimit);
  }
  static constexpr unsigned kReservedRegisters = 2;
  /// PCs are 0 <= pc < instructionCount().
  std::uint32_t instructionCount() const;
  /// Instructions that the functions before the kernel in its module have.
  std::uint32_t instructionsBefore() const;
  /// Number of scoreboard registers, with predicates and carry. Ids in StaticInstruction are
  /// smaller.
  std::uint32_t registerCount() const;
  /// True if the kernel reads %clock or %globaltimer.
  bool readsClock() const;
  const CodeText& text(std::uint32_t pc) const;
  const StaticInstruction& staticInstruction(std::uint32_t pc) const;
  /// Threads per CTA by `.reqntid` / `.maxntid`; 0: not stated.
  std::uint32_t requiredThreads() const { return facts_.requiredThreads; }
  std::uint32_t maximumThreads() const { return facts_.maximumThreads; }
  /// CTAs of a cluster by dimension by `.reqnctapercluster`, and in all by `.maxclusterrank`; 0:
  /// not stated.
  const std::array<std::uint32_t, 3>& requiredCluster() const { return facts_.requiredCluster; }
  std::uint32_t maximumClusterRank() const { return facts_.maximumClusterRank; }
  /// True with `.explicitcluster`: a launch must have clusters.
  bool needsCluster() const { return facts_.needsCluster; }

  const KernelCode& code() const { return *code_; }
  /// Returns the machine code that ptxas would make, in outline. It is made when first asked for.
  const MachineCode& machineCode() const;
  /// Place for code of the host (compiled.h).
  CompiledPlace& compiled() const { return *compiled_; }
  const std::shared_ptr<CompiledPlace>& sharedPlace() const { return compiled_; }

 private:
  std::unique_ptr<KernelCode> code_;
  mutable std::once_flag machineCodeMade_;
  mutable std::unique_ptr<MachineCode> machineCode_;
  std::shared_ptr<CompiledPlace> compiled_;
  const KernelFacts& facts_;
};

class Module {
 public:
  explicit Module(std::unique_ptr<ModuleData> data);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::string& fileName() const;
  /// 32 or 64, by `.address_size`.
  unsigned addressBits() const;
  /// First name of `.target`: "sm_80".
  const std::string& target() const;
  std::vector<std::string> entries() const;
  /// Returns the kernel of an entry. Throws InputError if there is no such entry (with the names
  /// that exist) or it contains a form that is not supported.
  const Kernel& kernel(std::string_view entry) const;
  /// Names and bytes of the module's `.global` and `.const` variables.
  std::vector<std::pair<std::string, std::uint64_t>> variables() const;
  /// Names of the `.texref` variables.
  std::vector<std::string> textures() const;

  const ModuleData& data() const { return *data_; }

 private:
  std::unique_ptr<ModuleData> data_;
};

/// Time at which entries are decoded: all at once, or each when it is first asked for, so that an
/// entry that is not supported does not hide the others. With WhenAsked, Module::kernel() throws
/// each time such an entry is asked for, and must not be called from several threads.
enum class Decode : std::uint8_t { AtOnce, WhenAsked };

/// Parses and decodes a module. Throws InputError "file:line:column: ...".
std::shared_ptr<const Module> parse(std::string_view text, const std::string& fileName,
                                    Decode decode = Decode::AtOnce);
/// Parses and decodes the module in a file; errors name `path`.
std::shared_ptr<const Module> parseFile(const std::string& path, Decode decode = Decode::AtOnce);

}  // namespace fermata::ptx
