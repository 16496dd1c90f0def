#include <fermata/models/rtl/block_scratchpad.h>

#include <fermata/models/rtl/ended.h>
#include <fermata/models/rtl/lane_words.h>
#include <fermata/models/vocabulary/error.h>

#include <string>

namespace fermata::rtl {

namespace {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint8_t kAllBytes = 0xf;

const Scratchpad::Parameters& checked(const Scratchpad::Parameters& parameters) {
  if (parameters.shape.bankBytes != sizeof(std::uint32_t))
    throw BadInput(
        fmt::format("the RTL scratchpad has words of 32 bits, the banks have {} bytes; expected 4",
                    parameters.shape.bankBytes));
  if (!parameters.verify)
    throw BadInput("the RTL scratchpad is given the data of lanes with verify = true only");
  return parameters;
}

}  // namespace

BlockScratchpad::BlockScratchpad(const sc_core::sc_module_name& name, const Clock& clock,
                                 const Parameters& parameters,
                                 std::unique_ptr<ScratchpadBlock> block, Implementation how,
                                 Now now)
    : Scratchpad(name, clock, checked(parameters)),
      block_(std::move(block)),
      how_(how),
      now_(std::move(now)) {}

// The lanes of an atomic act one after another: each finds what earlier lanes left.
void BlockScratchpad::carryOut(WarpAccess& access) {
  if (!access.instruction.hasData) return;
  if (access.instruction.operation != MemoryOperation::Atomic) return act(access);
  const LaneMask asked = access.asked;
  for (LaneMask m = asked; m != 0; m &= m - 1) {
    access.asked = m & (0U - m);
    act(access);
  }
  access.asked = asked;
}

void BlockScratchpad::act(WarpAccess& access) {
  const WarpInstruction& instruction = access.instruction;
  switch (instruction.operation) {
    case MemoryOperation::Load:
      read(access, instruction.data);
      break;
    case MemoryOperation::Store:
      write(access, instruction.data);
      break;
    case MemoryOperation::Atomic:
      read(access, instruction.before);
      write(access, instruction.data);
      break;
  }
  if (how_ == Implementation::Lockstep) Scratchpad::carryOut(access);
}

const ScratchpadResponse& BlockScratchpad::pass(const WarpAccess& access,
                                                const ScratchpadRequest& request) {
  return inBlock([&]() -> const ScratchpadResponse& { return ask(*block_, request); },
                 [&] {
                   const std::string lanes = lanesText(request.valid, [&](unsigned lane) {
                     return fmt::format("{}/{}", request.bank[lane], request.row[lane]);
                   });
                   return BlockAtWork{
                       "scratchpad", now_(),
                       fmt::format("pc {}, lane:bank/row {}", access.instruction.pc, lanes)};
                 });
}

/// Calls visit(request) for each pass of word k of the lanes: with valid, bank and row.
template <class Visit>
void BlockScratchpad::forEachPass(const WarpAccess& access, unsigned k, Visit visit) {
  for (LaneMask left = access.asked; left != 0;) {
    ScratchpadRequest request;
    request.bank = access.bank[k];
    request.row = access.row[k];
    forEachLane(left, [&](unsigned lane) {
      bool fits = true;
      forEachLane(request.valid, [&](unsigned other) {
        fits &=
            request.bank[other] != request.bank[lane] || request.row[other] == request.row[lane];
      });
      if (fits) request.valid |= laneBit(lane);
    });
    left &= ~request.valid;
    visit(request);
  }
}

void BlockScratchpad::read(const WarpAccess& access, const LaneData& expected) {
  LaneData found{};
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    forEachPass(access, k, [&](ScratchpadRequest& request) {
      request.enable.fill(kAllBytes);  // not used for lanes that read
      const ScratchpadResponse& response = pass(access, request);
      forEachLane(request.valid, [&](unsigned lane) {
        forEachByte(access, lane, k, [&](unsigned b, unsigned inWord) {
          found[lane][b] = byteOf(response.data[lane], inWord);
        });
      });
    });
  }
  compare(access, expected, found);
}

void BlockScratchpad::write(const WarpAccess& access, const LaneData& data) {
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    forEachPass(access, k, [&](ScratchpadRequest& request) {
      request.write = request.valid;
      forEachLane(request.valid, [&](unsigned lane) {
        packWord(access, lane, k, data, request.data[lane], request.enable[lane]);
        const LaneMask above = servedAbove(access, lane);
        if (above == 0) return;
        forEachByte(access, lane, k, [&](unsigned b, unsigned inWord) {
          if (isStoredBy(above, access, lane, b))
            request.enable[lane] &= static_cast<std::uint8_t>(~(1U << inWord));
        });
      });
      pass(access, request);
    });
  }
}

void BlockScratchpad::compare(const WarpAccess& access, const LaneData& expected,
                              const LaneData& found) {
  if (how_ == Implementation::Rtl) count(static_cast<std::uint64_t>(laneCount(access.asked)));
  forEachLane(access.asked, [&](unsigned lane) {
    for (unsigned b = 0; b < access.instruction.bytesPerLane; ++b) {
      const std::uint8_t byte = found[lane][b];
      if (how_ == Implementation::Lockstep && byte != stored(access, lane, b))
        differ(access, lane, b, byte);
      if (how_ == Implementation::Rtl && byte != expected[lane][b]) {
        reportMismatch(access, lane, b, kWordBytes, byte, expected[lane][b]);
        break;  // a lane is reported once
      }
    }
  });
}

void BlockScratchpad::differ(const WarpAccess& access, unsigned lane, unsigned byte,
                             std::uint8_t found) const {
  rtl::differ("scratchpad", now_(), access.instruction.pc,
              fmt::format("lane {}, {}", lane, placeText(access, lane, byte, kWordBytes)), found,
              stored(access, lane, byte));
}

}  // namespace fermata::rtl
