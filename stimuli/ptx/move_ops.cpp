// Predicate logic, packing, address conversion, parameters of functions, and conversions with
// registers wider than the types.
#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

void put(const Warp& warp, Row row, bool wide, unsigned lane, std::uint64_t value) {
  if (wide) {
    rowOf<std::uint64_t>(warp, row)[lane] = value;
  } else {
    rowOf<std::uint32_t>(warp, row)[lane] = static_cast<std::uint32_t>(value);
  }
}

std::uint64_t lowBytes(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// Extends `value` of `bytes` bytes to a register of `registerBytes` bytes.
std::uint64_t extended(std::uint64_t value, unsigned bytes, bool isSigned, unsigned registerBytes) {
  const unsigned unused = 64 - 8 * bytes;
  if (isSigned) {
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  } else {
    value = lowBytes(value, bytes);
  }
  return lowBytes(value, registerBytes);
}

template <class F>
void eachLane(LaneMask mask, F f) {
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) f(firstLane(rest));
}

}  // namespace

void executeClock(Warp& warp, const Instruction& i, LaneMask mask) {
  const Machine& machine = *warp.machine;
  std::uint64_t now = machine.executed;
  if (machine.time != nullptr)
    now = i.clock.nanoseconds ? machine.time->nanoseconds() : machine.time->cycles();
  if (i.clock.upperHalf) now >>= 32;
  eachLane(mask, [&](unsigned lane) { put(warp, i.d, i.wideData, lane, now); });
}

void executeUnpack(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(mask, [&](unsigned lane) {
    const std::uint64_t whole = laneValue(warp, i.a, i.wideData, lane);
    for (unsigned e = 0; e < i.elements; ++e) {
      put(warp, i.vector[e], false, lane,
          lowBytes(whole >> (8U * i.elementBytes * e), i.elementBytes));
    }
  });
}

void executePack(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(mask, [&](unsigned lane) {
    std::uint64_t whole = 0;
    for (unsigned e = 0; e < i.elements; ++e) {
      whole |= lowBytes(laneValue(warp, i.vector[e], false, lane), i.elementBytes)
               << (8U * i.elementBytes * e);
    }
    put(warp, i.d, i.wideData, lane, whole);
  });
}

void executeAddOffset(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(mask, [&](unsigned lane) {
    const std::uint64_t value =
        laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset);
    put(warp, i.d, i.wideData, lane, value);
  });
}

void executeMapAddress(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t* rank = rowOf<std::uint32_t>(warp, i.b);
  eachLane(mask, [&](unsigned lane) {
    if (rank[lane] != 0) {
      failAt(warp, i, lane, "CTA {} of the cluster; expected 0, its only one", rank[lane]);
    }
    put(warp, i.d, i.wideData, lane, laneValue(warp, i.a, i.wideBase, lane));
  });
}

void executeIsSpace(Warp& warp, const Instruction& i, LaneMask mask) {
  LaneMask result = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t address = laneValue(warp, i.a, i.wideBase, lane);
    const auto within = [&](std::uint64_t base) {
      return address >= base && address < base + kWindowBytes;
    };
    bool holds = false;
    switch (i.asked) {
      case MemorySpace::Shared:
        holds = within(kSharedWindow);
        break;
      case MemorySpace::Local:
        holds = within(kLocalWindow);
        break;
      case MemorySpace::Parameter:
        holds = within(kParameterWindow);
        break;
      default: {
        const Allocation* allocation = warp.machine->memory->find(address);
        const bool constant =
            allocation != nullptr && allocation->name.compare(0, 7, ".const ") == 0;
        holds = allocation != nullptr && constant == (i.asked == MemorySpace::Constant);
        break;
      }
    }
    result |= holds ? LaneMask{1} << lane : 0U;
  }
  writePredicate(warp, i.pd, result, mask);
}

void executeFrameLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(mask, [&](unsigned lane) {
    std::uint64_t value = rowOf<std::uint32_t>(warp, i.vector[0])[lane];
    if (i.bytesPerLane == 8)
      value |= std::uint64_t{rowOf<std::uint32_t>(warp, i.vector[1])[lane]} << 32;
    value >>= 8 * i.offset;
    put(warp, i.d, i.wideData, lane,
        extended(value, i.bytesPerLane, i.signExtend, i.registerBytes));
  });
}

void executeFrameStore(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(mask, [&](unsigned lane) {
    const std::uint64_t value = laneValue(warp, i.a, i.wideData, lane);
    std::uint32_t* low = rowOf<std::uint32_t>(warp, i.vector[0]);
    if (i.bytesPerLane >= 4) {
      low[lane] = static_cast<std::uint32_t>(value);
      if (i.bytesPerLane == 8)
        rowOf<std::uint32_t>(warp, i.vector[1])[lane] = static_cast<std::uint32_t>(value >> 32);
      return;
    }
    const auto keep =
        static_cast<std::uint32_t>(lowBytes(~std::uint64_t{0}, i.bytesPerLane) << (8 * i.offset));
    low[lane] = (low[lane] & ~keep) | (static_cast<std::uint32_t>(value << (8 * i.offset)) & keep);
  });
}

void executeWideConvert(Warp& warp, const Instruction& i, LaneMask mask) {
  Instruction plain = i;
  plain.d = i.b;
  if (i.wideBase) {
    plain.a = i.c;
    eachLane(mask, [&](unsigned lane) {
      put(warp, i.c, false, lane, rowOf<std::uint64_t>(warp, i.a)[lane]);
    });
  }
  i.inner(warp, plain, mask);
  eachLane(mask, [&](unsigned lane) {
    const std::uint64_t value = laneValue(warp, i.b, bytesOf(i.conversion.to) == 8, lane);
    put(warp, i.d, i.wideData, lane,
        extended(value, bytesOf(i.conversion.to), i.signExtend, i.registerBytes));
  });
}

}  // namespace fermata::ptx
