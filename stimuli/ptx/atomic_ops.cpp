// atom and red: lanes act one after another, in rising order.
#include <array>
#include <cstring>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

/// One or two halves; each is added by itself.
template <class Format, class Word>
struct Halves {
  Word bits;
};

template <class Format, class Word>
Halves<Format, Word> wrapAdd(Halves<Format, Word> a, Halves<Format, Word> b) {
  Word sum = 0;
  for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 16) {
    const auto part = [&](Word word) {
      return fromHalf<Format>(static_cast<std::uint16_t>(word >> shift));
    };
    sum = static_cast<Word>(sum | Word{toHalf<Format>(sumToOdd(part(a.bits), part(b.bits)))}
                                      << shift);
  }
  return {sum};
}

template <class T>
T wrapAdd(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T sum = a + b;
    if constexpr (sizeof(T) == 4) return bitsAs<float>(bitsOfResult(sum));
    return sum;
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  }
}

struct Wide {
  std::uint64_t lower, upper;
  bool operator==(const Wide& other) const { return lower == other.lower && upper == other.upper; }
};

template <AtomicOp Op, class T>
T updated(T old, T b, T c) {
  if constexpr (Op == AtomicOp::Add) return wrapAdd(old, b);
  if constexpr (Op == AtomicOp::Min) return b < old ? b : old;
  if constexpr (Op == AtomicOp::Max) return old < b ? b : old;
  if constexpr (Op == AtomicOp::Exch) return b;
  if constexpr (Op == AtomicOp::Inc) return old >= b ? T(0) : static_cast<T>(old + 1);
  if constexpr (Op == AtomicOp::Dec) return old == 0 || old > b ? b : static_cast<T>(old - 1);
  if constexpr (Op == AtomicOp::Cas) return old == b ? c : old;
  if constexpr (Op == AtomicOp::And) return static_cast<T>(old & b);
  if constexpr (Op == AtomicOp::Or) return static_cast<T>(old | b);
  if constexpr (Op == AtomicOp::Xor) return static_cast<T>(old ^ b);
  return old;
}

template <class T>
T rowValue(const Warp& warp, Row row, unsigned lane) {
  T value;
  if constexpr (sizeof(T) == 2) {
    const std::uint32_t word = rowOf<std::uint32_t>(warp, row)[lane];
    std::memcpy(&value, &word, sizeof value);  // lower half of the word
  } else {
    std::memcpy(&value, rowBytes(warp, row) + lane * sizeof(T), sizeof value);
  }
  return value;
}

/// Returns the operand (`which` 0) or the second operand (1).
template <class T>
T operandOf(const Warp& warp, const Instruction& i, unsigned which, unsigned lane) {
  if constexpr (std::is_same_v<T, Wide>) {
    return {rowValue<std::uint64_t>(warp, i.vector[2 * which], lane),
            rowValue<std::uint64_t>(warp, i.vector[2 * which + 1], lane)};
  } else {
    return rowValue<T>(warp, i.vector[which], lane);
  }
}

template <class T>
void writeResult(const Warp& warp, const Instruction& i, unsigned lane, const T& old) {
  if constexpr (std::is_same_v<T, Wide>) {
    rowOf<std::uint64_t>(warp, i.d)[lane] = old.lower;
    rowOf<std::uint64_t>(warp, i.c)[lane] = old.upper;
  } else if constexpr (sizeof(T) == 2) {
    std::uint16_t bits;
    std::memcpy(&bits, &old, sizeof bits);
    rowOf<std::uint32_t>(warp, i.d)[lane] = bits;
  } else {
    std::memcpy(rowBytes(warp, i.d) + lane * sizeof(T), &old, sizeof old);
  }
}

LaneMask addresses(Warp& warp, const Instruction& i, LaneMask mask, WarpInstruction& out) {
  mask = laneAddresses(warp, i, mask, out);
  if (out.space != MemorySpace::Shared && out.space != MemorySpace::Global)
    failAt(warp, i, firstLane(mask),
           "atomic on local or parameter memory; expected shared or global");
  return mask;
}

/// Returns an operand, or what stands for one that the operation does not have.
template <AtomicOp Op, class T>
T secondOperand(const Warp& warp, const Instruction& i, unsigned lane) {
  return Op == AtomicOp::Cas ? operandOf<T>(warp, i, 1, lane) : T{};
}

/// Replaces a word, aligned to its size, by next(word), while other threads may change it, too.
/// Returns the word before.
template <class T, class Next>
T replaceAtOnce(Crew& crew, std::uint8_t* at, Next next) {
  T old;
  if constexpr (sizeof(T) > 8) {
    const std::lock_guard<std::mutex> lock(crew.wideAtomics);
    std::memcpy(&old, at, sizeof old);
    const T value = next(old);
    std::memcpy(at, &value, sizeof value);
  } else {
    using Word =
        std::conditional_t<sizeof(T) == 8, std::uint64_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
    auto* const word = reinterpret_cast<Word*>(at);
    Word before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;
    do {
      std::memcpy(&old, &before, sizeof old);
      const T value = next(old);
      std::memcpy(&after, &value, sizeof after);
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
  }
  return old;
}

template <AtomicOp Op, class T>
void update(std::uint8_t* at, const std::uint8_t* operands) {
  std::array<T, 3> values;  // old, operand, second operand
  std::memcpy(&values[0], at, sizeof(T));
  std::memcpy(&values[1], operands, 2 * sizeof(T));
  values[0] = updated<Op, T>(values[0], values[1], values[2]);
  std::memcpy(at, &values[0], sizeof(T));
}

/// Adds an atomic whose result nobody reads to the log.
template <AtomicOp Op, class T>
void addAtomic(StoreLog& log, const Warp& warp, const Instruction& i, LaneMask mask,
               const WarpInstruction& out) {
  while (mask != 0) {
    const Window window = laneWindow(warp, i, firstLane(mask), out);
    const LaneMask here = lanesWhere(mask, [&](unsigned lane) {
      const std::uint64_t address = out.address[lane];
      return address >= window.base && address - window.base <= window.bytes - sizeof(T) &&
             address % sizeof(T) == 0;
    });
    StoreLog::Bytes& bytes = addTo(log, warp, window, here, out, &update<Op, T>);
    for (const unsigned lane : lanesIn(here)) {
      const T operands[2] = {operandOf<T>(warp, i, 0, lane), secondOperand<Op, T>(warp, i, lane)};
      std::memcpy(&bytes[2 * lane * sizeof(T)], operands, sizeof operands);
    }
    mask &= ~here;
  }
}

template <AtomicOp Op, class T>
void atomic(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  mask = addresses(warp, i, mask, out);
  if (StoreLog* const log = logOf(warp, out.space); log != nullptr)
    return addAtomic<Op, T>(*log, warp, i, mask, out);
  const bool carry = warp.machine->options.carryData;
  out.hasData = carry;
  Window window;
  const bool sharedMemory = out.space == MemorySpace::Shared;
  window = sharedMemory ? sharedWindow(warp) : hintedWindow(warp, i);
  Crew* const crew = sharedMemory ? nullptr : warp.machine->crew;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t address = out.address[lane];
    const bool plain = window.bytes >= sizeof(T) &&
                       address - window.base <= window.bytes - sizeof(T) &&
                       address % sizeof(T) == 0;
    if (!plain) window = laneWindow(warp, i, lane, out);
    checkWritten(warp, i, window, address, lane, sizeof(T));
    std::uint8_t* at = window.data + (address - window.base);
    T old, value;
    const auto next = [&](T word) {
      return updated<Op, T>(word, operandOf<T>(warp, i, 0, lane),
                            secondOperand<Op, T>(warp, i, lane));
    };
    if (crew == nullptr) {
      std::memcpy(&old, at, sizeof old);
      value = next(old);
      std::memcpy(at, &value, sizeof value);
    } else {
      old = replaceAtOnce<T>(*crew, at, next);
      value = next(old);
    }
    if (window.written != nullptr)
      std::memset(window.written + (address - window.base), 1, sizeof(T));
    if (carry) {
      std::memcpy(out.before[lane].data(), &old, sizeof old);
      std::memcpy(out.data[lane].data(), &value, sizeof value);
    }
    if (i.writesResult) writeResult(warp, i, lane, old);
  }
}

constexpr TypeSet kIntegers = setOf(Type::U32, Type::S32, Type::U64, Type::S64);
constexpr TypeSet kBits = setOf(Type::B32, Type::B64);
/// Returns the handler of integers, which are never halves or floats.
template <AtomicOp Op, TypeSet Types>
Handler among(Type type) {
  if (!contains(Types, type)) return nullptr;
  return forValue(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Value;
    constexpr bool kNarrow = sizeof(T) < 4 && (sizeof(T) < 2 || Op != AtomicOp::Cas);
    constexpr bool kOrdered = std::is_unsigned_v<T> || Op <= AtomicOp::Max;
    if constexpr (std::is_integral_v<T> && !kNarrow && kOrdered) return &atomic<Op, T>;
    return nullptr;
  });
}
Handler addingHandler(Type type) {
  switch (type) {
    case Type::F32:
      return &atomic<AtomicOp::Add, float>;
    case Type::F64:
      return &atomic<AtomicOp::Add, double>;
    case Type::F16:
      return &atomic<AtomicOp::Add, Halves<F16Format, std::uint16_t>>;
    case Type::F16x2:
      return &atomic<AtomicOp::Add, Halves<F16Format, std::uint32_t>>;
    case Type::Bf16:
      return &atomic<AtomicOp::Add, Halves<Bf16Format, std::uint16_t>>;
    case Type::Bf16x2:
      return &atomic<AtomicOp::Add, Halves<Bf16Format, std::uint32_t>>;
    default:
      return among<AtomicOp::Add, kIntegers>(type);
  }
}

/// Returns update<Op, T> for a value of the type, or nullptr.
template <AtomicOp Op, TypeSet Types>
StoreLog::Update updateAmong(Type type) {
  if (!contains(Types, type)) return nullptr;
  return forValue(type, [](auto tag) -> StoreLog::Update {
    using T = typename decltype(tag)::Value;
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) return &update<Op, T>;
    return nullptr;
  });
}
StoreLog::Update addition(Type type) {
  switch (type) {
    case Type::F32:
      return &update<AtomicOp::Add, float>;
    case Type::F64:
      return &update<AtomicOp::Add, double>;
    case Type::F16:
      return &update<AtomicOp::Add, Halves<F16Format, std::uint16_t>>;
    case Type::Bf16:
      return &update<AtomicOp::Add, Halves<Bf16Format, std::uint16_t>>;
    default:
      return updateAmong<AtomicOp::Add, kIntegers>(type);
  }
}

}  // namespace

StoreLog::Update combination(AtomicOp op, Type type) {
  switch (op) {
    case AtomicOp::Add:
      return addition(type);
    case AtomicOp::Min:
      return updateAmong<AtomicOp::Min, kIntegers>(type);
    case AtomicOp::Max:
      return updateAmong<AtomicOp::Max, kIntegers>(type);
    case AtomicOp::Inc:
      return type == Type::U32 ? &update<AtomicOp::Inc, std::uint32_t> : nullptr;
    case AtomicOp::Dec:
      return type == Type::U32 ? &update<AtomicOp::Dec, std::uint32_t> : nullptr;
    case AtomicOp::And:
      return updateAmong<AtomicOp::And, kBits>(type);
    case AtomicOp::Or:
      return updateAmong<AtomicOp::Or, kBits>(type);
    case AtomicOp::Xor:
      return updateAmong<AtomicOp::Xor, kBits>(type);
    default:
      return nullptr;
  }
}

void readAtomic(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  mask = addresses(warp, i, mask, out);
  out.hasData = warp.machine->options.carryData && i.handler != &executeMBarrier;
  for (const unsigned lane : lanesIn(mask)) {
    const Window window = laneWindow(warp, i, lane, out);
    checkWritten(warp, i, window, out.address[lane], lane, i.bytesPerLane);
    if (out.hasData)
      readLane(window, out.address[lane], lane, i.bytesPerLane, out.data[lane].data());
  }
}

Handler wideAtomicHandler(AtomicOp op) {
  return op == AtomicOp::Exch ? &atomic<AtomicOp::Exch, Wide> : &atomic<AtomicOp::Cas, Wide>;
}

Handler atomicHandler(AtomicOp op, Type type) {
  constexpr TypeSet kU32 = setOf(Type::U32);
  constexpr Handler (*kHandlers[])(Type) = {
      &addingHandler,
      &among<AtomicOp::Min, kIntegers>,
      &among<AtomicOp::Max, kIntegers>,
      &among<AtomicOp::Inc, kU32>,
      &among<AtomicOp::Dec, kU32>,
      &among<AtomicOp::Exch, kBits>,
      &among<AtomicOp::Cas, kBits | setOf(Type::B16)>,
      &among<AtomicOp::And, kBits>,
      &among<AtomicOp::Or, kBits>,
      &among<AtomicOp::Xor, kBits>,
  };  // order of AtomicOp
  return kHandlers[static_cast<std::size_t>(op)](type);
}

}  // namespace fermata::ptx
