// Reads the text of one kernel's trace: grouped by block and warp (.traceg), or raw (.trace), whose
// rows name their warp.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>

#include <fermata/stimuli/traces/sass/kernel_form.h>
#include <fermata/stimuli/traces/sass/piece_writer.h>

namespace fermata::sass {

class KernelReader {
 public:
  /// `sink` takes the bytes of the pieces. All arguments must outlive the reader.
  KernelReader(TraceLines& lines, const OpcodeTable& opcodes, const TraceSettings& settings,
               PieceWriter::Sink sink);

  /// Reads the whole text. Throws InputError.
  KernelForm read();

 private:
  struct Counted {
    std::uint32_t warp = 0;
    std::uint64_t rows = 0;  ///< that the warp has
    std::uint64_t left = 0;  ///< rows that have not come
  };
  void readMark();
  void readWord();
  void readRow();
  std::uint64_t number(std::string_view text, std::uint64_t most, const char* what) const;
  void beginBlock(std::string_view value);
  void beginWarp(std::string_view value);
  void finishWarp();
  void requireNew(std::string_view value);
  void requireWhole() const;
  std::uint64_t blockNumber(const std::array<std::uint32_t, 3>& block) const;

  void write(OpenWarp& warp, ParsedRow& row);
  void writeAccess(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses);
  void writeGeneric(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses);
  void writeCopy(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses);
  void writeArrival(OpenWarp& warp, std::uint32_t index, RowAddresses& addresses);
  void writeBarrier(OpenWarp& warp, std::uint32_t index, LaneMask mask);
  void writeHalf(OpenWarp& warp);
  void emit(OpenWarp& warp, std::uint32_t index, MemorySpace generic, RowAddresses& addresses,
            MemorySpace space, RowAddresses* target);
  char* emitAddresses(char* to, std::uint32_t& head, RowAddresses& addresses, unsigned bytes,
                      MemorySpace space);
  bool hasClusters() const;
  void note(std::uint64_t lowest, std::uint64_t highest, unsigned bytes, MemorySpace space);
  void countUnaddressed(const TracedInstruction& instruction);

  TraceLines& lines_;
  const OpcodeTable& opcodes_;
  const TraceSettings& settings_;
  PieceWriter pieces_;
  KernelForm form_;
  std::unique_ptr<RowParser> parser_;
  ParsedRow row_;
  std::uint64_t sharedLimit_ = 0;
  bool inBlock_ = false;
  bool named_ = false;  ///< the block has said which it is
  std::uint64_t block_ = 0;
  std::uint64_t highestBlock_ = 0;
  std::uint64_t blocksSeen_ = 0;
  std::unordered_set<std::uint64_t> lateBlocks_;  ///< that stood behind a higher one
  std::uint32_t warpsSeen_ = 0;                   ///< of the block, as bits
  OpenWarp* warp_ = nullptr;
  Counted counted_;
};

}  // namespace fermata::sass
