// Reads the rows of a kernel's trace: one executed instruction each.
//
//   [bx by bz w [cluster: 7 numbers]] [sm warp_in_sm] [line] PC MASK nd REG*nd OPCODE ns REG*ns
//   WIDTH [addresses] [immediate [immediate]] [register values]
//
// Layouts differ by the version of the tracer and by its settings, and version numbers do not tell
// them apart. The mask does: its 8 hexadecimal digits have a PC before and a register count behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/traces/sass/instruction_decoder.h>
#include <fermata/stimuli/traces/sass/kernel_header.h>
#include <fermata/stimuli/traces/sass/row_addresses.h>

namespace fermata::sass {

/// An instruction of the kernel. Its index is its place in the list of all.
struct TracedInstruction {
  std::uint32_t address = 0;  ///< PC in the trace
  std::uint32_t line = 0;     ///< line of the source; 0: not known
  bool addressed = false;     ///< its rows have addresses
  std::int64_t immediate = -1;
  std::string text;  ///< "1 R4 LDS.U.32 1 R9": registers and opcode, as rows write them
  std::string opcode;
  Decoded decoded;
};

struct ParsedRow {
  std::array<std::uint32_t, 3> block{};  ///< raw rows
  std::uint32_t warp = 0;                ///< raw rows
  std::uint32_t index = 0;               ///< of the instruction
  LaneMask mask = 0;
  RowAddresses addresses;  ///< if the instruction is addressed
};

class RowParser {
 public:
  /// All arguments must outlive the parser.
  RowParser(TraceLines& lines, const KernelHeader& header, const OpcodeTable& opcodes,
            const TraceSettings& settings);

  /// Parses the present line. Throws InputError.
  void parse(ParsedRow& row);
  /// Returns whether rows name their block and warp. Known after the first row.
  bool namesWarp() const { return layout_.ids != 0; }

  const std::vector<TracedInstruction>& instructions() const { return instructions_; }
  /// Returns the opcodes that the table lacks, without modifiers, separated by blanks.
  const std::string& unknownOpcodes() const { return unknown_; }

 private:
  /// Fields before the mask.
  struct Layout {
    unsigned fields = 0;  ///< 0: not known yet
    unsigned ids = 0;     ///< of block and warp, and of the cluster
    bool line = false;    ///< a line of the source stands before the PC
  };
  enum class Tail : std::uint8_t { Exact, Addresses, Ignored };
  /// A text that rows of one PC have behind the mask, up to what differs from row to row.
  struct Variant {
    std::uint32_t address = 0;
    std::uint32_t index = 0;
    Tail tail = Tail::Exact;
    std::int32_t next = -1;
    std::string text;
  };
  static constexpr std::size_t kBuckets = std::size_t{1} << 16;

  void findLayout();
  const char* readIds(const char* at, ParsedRow& row);
  const Variant& variantOf(std::uint32_t address, const char* at);
  const Variant& addVariant(std::uint32_t address, const char* at);
  std::uint32_t indexOf(const TracedInstruction& instruction);
  const Opcode& opcodeNamed(std::string_view opcode, const char* at);
  void readAddresses(const char* at, RowAddresses& addresses) const;
  const char* readEach(const char* at, RowAddresses& addresses) const;
  const char* readDeltas(const char* at, RowAddresses& addresses) const;
  void readTail(const char* at) const;
  const char* end() const { return lines_.text().data() + lines_.text().size(); }

  TraceLines& lines_;
  const KernelHeader& header_;
  const OpcodeTable& opcodes_;
  const TraceSettings& settings_;
  Layout layout_;
  std::uint32_t sourceLine_ = 0;
  const std::uint16_t* pairs_;  ///< hexPairs()
  std::vector<std::int32_t> buckets_;
  std::vector<Variant> variants_;
  std::vector<TracedInstruction> instructions_;
  std::string unknown_;
};

/// Reads "1 R4 LDS.U.32 1 R9" from `at`, and sets what it says. Returns the end of it, or nullptr
/// if the text up to `end` is no such thing; `at` is then where it is wrong.
const char* readStatic(const char*& at, const char* end, std::string& opcode,
                       NamedRegisters& destinations, NamedRegisters& sources);

/// Sets the decoded instruction by its other fields. Throws InputError if the table has no such
/// opcode and the settings do not allow that.
void decode(TracedInstruction& instruction, const OpcodeTable& opcodes,
            const TraceSettings& settings, unsigned architecture);

}  // namespace fermata::sass
