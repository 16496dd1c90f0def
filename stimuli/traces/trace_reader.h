// Reads a CSV trace row by row and checks it: what a caller gets is a well-formed sequence.
#pragma once

#include <cstdint>
#include <deque>
#include <istream>
#include <memory>
#include <string>

#include <fermata/models/core/workload.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/row_queue.h>
#include <fermata/stimuli/traces/trace_tables.h>

namespace fermata::traces {

/// Guarantees, each checked where the row stands (InputError with line and column): every CTA of a
/// grid starts once, in order, before its rows; every warp of it ends once, after its rows, before
/// the next grid; every PC is known, every active lane belongs to the warp, has an address, and in
/// shared memory stays in the CTA's window; the trailer is there and its count is right.
class TraceReader {
 public:
  enum class Event {
    Row,   ///< a warp instruction: cta(), warp(), row()
    Exit,  ///< a warp has ended: cta(), warp()
    Grid,  ///< a grid begins: grid()
    End,   ///< the trailer, and nothing behind it
  };

  TraceReader(std::unique_ptr<std::istream> in, const std::string& file);

  /// The next event; End again behind the end.
  Event next();

  std::uint64_t cta() const { return cta_; }
  std::uint32_t warp() const { return warp_; }
  const Row& row() const { return row_; }
  const Grid& grid() const { return grid_; }
  const TraceTables& tables() const { return tables_; }

 private:
  /// A CTA that has started, the exited warps as bits.
  using OpenCta = LaneMask;

  void readHeader();
  /// True when the row was an event.
  bool readKeyword(Event& event);
  void readWarpInstruction();
  void readOperand(const StaticInstruction& instruction);
  void readAddresses();
  void checkAlignment(unsigned runs);
  void readSpace(const StaticInstruction& instruction);
  void readBytes(const StaticInstruction& instruction);
  void readBarrier();
  void readStart();
  void readExit();
  void readEnd();
  void beginGrid();
  void checkGridEnded() const;

  std::uint64_t number(std::size_t field, std::uint64_t limit, const char* quantity) const;
  OpenCta& readWarp(std::size_t ctaField);
  void expectFields(std::size_t least, std::size_t most) const;
  LaneMask warpLanes() const;

  CsvRows rows_;
  TraceTables tables_;
  Grid grid_;
  bool hasGrid_ = false;
  bool ended_ = false;
  std::uint64_t count_ = 0;  ///< warp instructions so far
  std::uint64_t cta_ = 0;
  std::uint32_t warp_ = 0;
  Row row_;
  AddressRuns runs_;
  LaneMask allExited_ = 0;       ///< the value of an OpenCta that has ended
  std::uint64_t firstOpen_ = 0;  ///< every CTA below has ended
  std::deque<OpenCta> open_;     ///< from firstOpen_ on
};

}  // namespace fermata::traces
