// Plain payloads of one line each, for the base protocol behind the coalescer.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

namespace fermata {

/// The access of a warp that has been split into lines, and what has come back of it.
struct LineJoin {
  WarpAccess* access = nullptr;
  std::uint32_t sent = 0;  ///< lines, of WarpAccess::segments
  std::uint32_t open = 0;  ///< lines sent and not answered
  sc_core::sc_time base;   ///< when the first line leaves
  sc_core::sc_time last;   ///< when the last answer so far is there
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
};

/// Which join a line belongs to, and whether its answer has come. Ignorable, as the base protocol
/// demands: no target needs it.
struct LineOrigin : tlm::tlm_extension<LineOrigin> {
  LineJoin* join = nullptr;
  bool answered = false;
  tlm::tlm_extension_base* clone() const override { return new LineOrigin(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const LineOrigin&>(other);
  }
};

/// Nothing is allocated while the simulation runs, except when more lines are under way than ever
/// before.
class LinePool : public tlm::tlm_mm_interface {
 public:
  explicit LinePool(std::uint32_t lineBytes) : lineBytes_(lineBytes) {}
  LinePool(const LinePool&) = delete;
  LinePool& operator=(const LinePool&) = delete;

  /// The line at `address` for an access, with reference count 1 and every attribute set. A store
  /// whose instruction carries data enables the bytes that its lanes write; one without enables
  /// none, so that a memory behind the path is not overwritten with what nobody computed.
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
  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<tlm::tlm_generic_payload*> idle_;
};

}  // namespace fermata
