// Plain payloads of one line each, for the base protocol behind the coalescer.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

namespace fermata {

/// An access that has been split into lines, and the answers to it so far.
struct LineJoin {
  WarpAccess* access = nullptr;
  std::uint32_t sent = 0;  ///< lines sent so far, out of WarpAccess::segments
  std::uint32_t open = 0;  ///< lines sent and not answered
  sc_core::sc_time base;   ///< earliest time at which the first line leaves
  sc_core::sc_time last;   ///< when the latest answer so far is there
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
};

/// Names the join of a line, and tells whether the line has been answered. Ignorable, as the base
/// protocol demands: no target needs it.
struct LineOrigin : tlm::tlm_extension<LineOrigin> {
  LineJoin* join = nullptr;
  bool answered = false;
  tlm::tlm_extension_base* clone() const override { return new LineOrigin(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const LineOrigin&>(other);
  }
};

/// Recycles line payloads. It allocates only if more lines are under way than ever before.
class LinePool : public tlm::tlm_mm_interface {
 public:
  /// With `instructions` a line names the instruction that asked for it (LineRequest).
  explicit LinePool(std::uint32_t lineBytes, bool instructions = false)
      : lineBytes_(lineBytes), instructions_(instructions) {}
  LinePool(const LinePool&) = delete;
  LinePool& operator=(const LinePool&) = delete;

  /// Returns the line at `address` for the access of `join`, with reference count 1 and every
  /// attribute set. A store whose instruction carries data enables the bytes that its lanes write.
  /// A store without data enables none, so that it does not overwrite memory with arbitrary bytes.
  tlm::tlm_generic_payload& acquire(LineJoin& join, std::uint64_t address);
  void free(tlm::tlm_generic_payload* payload) override { idle_.push_back(payload); }

  static LineJoin& joinOf(const tlm::tlm_generic_payload& line) {
    return *line.get_extension<LineOrigin>()->join;
  }

 private:
  struct Line {
    explicit Line(tlm::tlm_mm_interface* pool) : payload(pool) {}
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data;
    std::vector<std::uint8_t> enabled;
  };

  void grow();
  void fillStore(tlm::tlm_generic_payload& line, const WarpInstruction& instruction) const;

  std::uint32_t lineBytes_;
  bool instructions_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<tlm::tlm_generic_payload*> idle_;
};

}  // namespace fermata
