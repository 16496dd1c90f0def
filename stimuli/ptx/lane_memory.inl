// Loads and stores of a warp whose lanes all stay in one window and have nothing to track.
// lane_memory.cpp includes this file for each instruction set.

namespace fermata::ptx::FERMATA_LANES {
namespace {

/// Sets the lanes' addresses. Returns the OR of them, an upper bound of each.
template <MemorySpace S>
inline std::uint64_t laneAddresses(const Warp& w, const Instruction& i, WarpInstruction& out) {
  // Only generic and global addresses have the width of a pointer (address_space.h).
  constexpr bool kPointer = S == MemorySpace::Generic || S == MemorySpace::Global;
  using Address = std::conditional_t<kPointer, std::uint64_t, std::uint32_t>;
  std::uint64_t* address = out.address.data();
  std::uint64_t any = 0;
  if (i.wideBase) {
    const auto* base = in<std::uint64_t>(w, i.a);
    const auto offset = static_cast<std::uint64_t>(i.offset);
    for (unsigned l = 0; l < kWarpLanes; ++l)
      any |= address[l] = static_cast<Address>(base[l] + offset);
  } else {
    const auto* base = in<std::uint32_t>(w, i.a);
    const auto offset = static_cast<std::uint32_t>(i.offset);
    std::uint32_t anyLow = 0;
    for (unsigned l = 0; l < kWarpLanes; ++l) {
      const std::uint32_t at = base[l] + offset;
      anyLow |= at;
      address[l] = at;
    }
    any = anyLow;
  }
  return any;
}

// True if every active lane is aligned and within the window. `any`: the OR of all lanes'
// addresses, or more; it spares the look at each lane in most cases.
inline bool allWithin(const WarpInstruction& out, LaneMask m, const Window& window, unsigned bytes,
                      std::uint64_t any) {
  if (window.bytes < bytes) return false;
  const std::uint64_t room = window.bytes - bytes;
  const std::uint64_t alignment = bytes - 1;
  if (window.base == 0 && (any & alignment) == 0 && any <= room) return true;
  const std::uint64_t* address = out.address.data();
  std::uint64_t bad = 0;
  if (m == kAllLanes) {
    for (unsigned l = 0; l < kWarpLanes; ++l) {
      bad |= (address[l] & alignment) | static_cast<std::uint64_t>(address[l] - window.base > room);
    }
  } else {
    for (unsigned l = 0; l < kWarpLanes; ++l) {
      const std::uint64_t wrong =
          (address[l] & alignment) | static_cast<std::uint64_t>(address[l] - window.base > room);
      bad |= has(m, l) ? wrong : 0;
    }
  }
  return bad == 0;
}

inline bool consecutive(const WarpInstruction& out, unsigned bytes) {
  const std::uint64_t* address = out.address.data();
  const std::uint64_t first = address[0];
  std::uint64_t difference = 0;
  for (unsigned l = 0; l < kWarpLanes; ++l)
    difference |= address[l] ^ (first + std::uint64_t{l} * bytes);
  return difference == 0;
}

// Finds the window of the whole warp. Returns false if lanes must be accessed one by one.
template <MemorySpace S>
inline bool plainWindow(const Warp& w, const Instruction& i, LaneMask m, const WarpInstruction& out,
                        std::uint64_t any, Window& window) {
  if (w.machine->options.checkUninitialised || w.machine->options.carryData) return false;
  if constexpr (S == MemorySpace::Shared) {
    window = sharedWindow(w);
  } else if constexpr (S == MemorySpace::Local) {
    window = localWindow(w);
  } else if constexpr (S == MemorySpace::Parameter) {
    window = {w.machine->parameters.data(), nullptr, 0, w.machine->code->parameterBytes, false};
  } else if constexpr (S == MemorySpace::Generic) {
    if (out.space == MemorySpace::Shared)
      return plainWindow<MemorySpace::Shared>(w, i, m, out, any, window);
    if (out.space == MemorySpace::Local)
      return plainWindow<MemorySpace::Local>(w, i, m, out, any, window);
    if (out.space == MemorySpace::Parameter) return false;
    window = hintedWindow(w, i);
  } else {
    window = hintedWindow(w, i);
  }
  return window.written == nullptr && allWithin(out, m, window, i.bytesPerLane, any);
}

// True if stores that are not in memory yet may change what the lanes load.
template <MemorySpace S>
inline bool isLogged(const Warp& w, const Instruction& i, LaneMask m, const WarpInstruction& out) {
  if constexpr (S == MemorySpace::Global || S == MemorySpace::Generic) {
    return w.machine->log != nullptr && mayBeLogged(w, m, i.bytesPerLane, out);
  }
  return false;
}

template <class T>
inline T loadFrom(const Window& window, std::uint64_t address, unsigned lane) {
  T value;
  if (sizeof(T) == 8 && window.interleaved) {
    const std::uint8_t* at = window.data + window.index(address, lane);
    __builtin_memcpy(&value, at, sizeof value / 2);
    __builtin_memcpy(reinterpret_cast<std::uint8_t*>(&value) + sizeof value / 2, at + kRowBytes,
                     sizeof value / 2);
    return value;
  }
  __builtin_memcpy(&value, window.data + window.index(address, lane), sizeof value);
  return value;
}
template <class T>
inline void storeTo(const Window& window, std::uint64_t address, unsigned lane, T value) {
  if (sizeof(T) == 8 && window.interleaved) {
    std::uint8_t* at = window.data + window.index(address, lane);
    __builtin_memcpy(at, &value, sizeof value / 2);
    __builtin_memcpy(at + kRowBytes,
                     reinterpret_cast<const std::uint8_t*>(&value) + sizeof value / 2,
                     sizeof value / 2);
    return;
  }
  __builtin_memcpy(window.data + window.index(address, lane), &value, sizeof value);
}

template <class F>
inline void forLanes(LaneMask m, F f) {
  if (m == kAllLanes) {
    for (unsigned l = 0; l < kWarpLanes; ++l) f(l);
  } else {
    for (const unsigned l : lanesIn(m)) f(l);
  }
}

template <class T, class Word>
inline void loadElement(const Warp& w, const Instruction& i, LaneMask m, const WarpInstruction& out,
                        const Window& window, unsigned e) {
  Word* d = rowOf<Word>(w, i.vector[e]);
  const std::uint64_t* address = out.address.data();
  const std::uint64_t skip = e * sizeof(T);
  // A signed element fills the register; the row's bits beyond the register stay zero.
  const Word keep = i.registerBytes >= sizeof(Word)
                        ? ~Word(0)
                        : static_cast<Word>((Word(1) << (8 * i.registerBytes)) - 1);
  if (m == kAllLanes && keep == ~Word(0) && !window.interleaved) {
    const std::uint8_t* const data = window.data;
    const std::uint64_t before = skip - window.base;
#pragma GCC unroll 8
    for (unsigned l = 0; l < kWarpLanes; ++l) {
      T value;
      __builtin_memcpy(&value, data + (address[l] + before), sizeof value);
      d[l] = static_cast<Word>(value);
    }
    return;
  }
  forLanes(m, [=](unsigned l) {
    d[l] = static_cast<Word>(loadFrom<T>(window, address[l] + skip, l)) & keep;
  });
}

template <MemorySpace S, class T>
void load(Warp& w, const Instruction& i, LaneMask m) {
  WarpInstruction& out = *w.machine->out;
  std::uint64_t any = laneAddresses<S>(w, i, out);
  if constexpr (S == MemorySpace::Generic) {
    m = resolveGeneric(w, i, m, out);
    any = ~std::uint64_t{0};
  }
  Window window;
  if (!plainWindow<S>(w, i, m, out, any, window) || isLogged<S>(w, i, m, out))
    return loadByLane(w, i, m);
  constexpr bool kRow = std::is_unsigned_v<T> && sizeof(T) >= 4;
  if (kRow && m == kAllLanes && i.elements == 1 && i.wideData == (sizeof(T) == 8) &&
      !window.interleaved && consecutive(out, sizeof(T))) {
    __builtin_memcpy(rowBytes(w, i.vector[0]), window.data + (out.address[0] - window.base),
                     sizeof(T) * kWarpLanes);
    return;
  }
  for (unsigned e = 0; e < i.elements; ++e) {
    if (i.wideData) {
      loadElement<T, std::uint64_t>(w, i, m, out, window, e);
    } else if constexpr (sizeof(T) <= 4) {
      loadElement<T, std::uint32_t>(w, i, m, out, window, e);
    }
  }
  if (window.interleaved) exposeLocalAddresses(w, out);
}

// Stores to a log in the place of memory. Returns false if there is no log.
template <MemorySpace S, class T>
inline bool storeToLog(Warp& w, const Instruction& i, LaneMask m, const WarpInstruction& out,
                       const Window& window) {
  if constexpr (S == MemorySpace::Global || S == MemorySpace::Generic) {
    StoreLog* const log = logOf(w, out.space);
    if (log == nullptr) return false;
    std::uint8_t* const to = addTo(*log, w, window, m, out).data();
    const unsigned stride = i.bytesPerLane;
    const auto element = [&](auto word, unsigned e) {
      const auto* a = rowOf<decltype(word)>(w, i.vector[e]);
      forLanes(m, [=](unsigned l) {
        const T value = static_cast<T>(a[l]);
        __builtin_memcpy(to + l * stride + e * sizeof(T), &value, sizeof value);
      });
    };
    for (unsigned e = 0; e < i.elements; ++e) {
      if (i.wideData) {
        element(std::uint64_t{}, e);
      } else if constexpr (sizeof(T) <= 4) {
        element(std::uint32_t{}, e);
      }
    }
    return true;
  }
  return false;
}

template <class T, class Word>
inline void storeElement(const Warp& w, const Instruction& i, LaneMask m,
                         const WarpInstruction& out, const Window& window, unsigned e) {
  const Word* a = rowOf<Word>(w, i.vector[e]);
  const std::uint64_t* address = out.address.data();
  const std::uint64_t skip = e * sizeof(T);
  forLanes(m, [=](unsigned l) { storeTo<T>(window, address[l] + skip, l, static_cast<T>(a[l])); });
}

template <MemorySpace S, class T>
void store(Warp& w, const Instruction& i, LaneMask m) {
  WarpInstruction& out = *w.machine->out;
  std::uint64_t any = laneAddresses<S>(w, i, out);
  if constexpr (S == MemorySpace::Generic) {
    m = resolveGeneric(w, i, m, out);
    any = ~std::uint64_t{0};
  }
  Window window;
  if (!plainWindow<S>(w, i, m, out, any, window) || (S == MemorySpace::Generic && i.elements > 1))
    return storeByLane(w, i, m);
  if (storeToLog<S, T>(w, i, m, out, window)) return;
  if (sizeof(T) >= 4 && m == kAllLanes && i.elements == 1 && i.wideData == (sizeof(T) == 8) &&
      !window.interleaved && consecutive(out, sizeof(T))) {
    __builtin_memcpy(window.data + (out.address[0] - window.base), rowBytes(w, i.vector[0]),
                     sizeof(T) * kWarpLanes);
    return;
  }
  for (unsigned e = 0; e < i.elements; ++e) {
    if (i.wideData) {
      storeElement<T, std::uint64_t>(w, i, m, out, window, e);
    } else if constexpr (sizeof(T) <= 4) {
      storeElement<T, std::uint32_t>(w, i, m, out, window, e);
    }
  }
  if (window.interleaved) exposeLocalAddresses(w, out);
}

/// Signed types shorter than a row fill the register by their sign.
template <MemorySpace S>
Handler loading(Type type) {
  return forValue(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Value;
    constexpr bool kWhole = sizeof(T) == 8 || std::is_floating_point_v<T>;
    return &load<S, std::conditional_t<kWhole, Stored<T>, T>>;
  });
}
template <MemorySpace S>
Handler storing(Type type) {
  return forValue(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Value;
    using Bits = std::conditional_t<std::is_floating_point_v<T>, Stored<T>, T>;
    return &store<S, std::make_unsigned_t<Bits>>;
  });
}

template <MemorySpace... S>
Handler loadingFrom(MemorySpace space, Type type) {
  Handler found = nullptr;
  ((found = space == S ? loading<S>(type) : found), ...);
  return found;
}
template <MemorySpace... S>
Handler storingTo(MemorySpace space, Type type) {
  Handler found = nullptr;
  ((found = space == S ? storing<S>(type) : found), ...);
  return found;
}

}  // namespace

Handler loadHandler(MemorySpace space, Type type) {
  using Space = MemorySpace;
  return loadingFrom<Space::Shared, Space::Global, Space::Constant, Space::Local, Space::Parameter,
                     Space::Generic>(space, type);
}

Handler storeHandler(MemorySpace space, Type type) {
  using Space = MemorySpace;
  return storingTo<Space::Shared, Space::Global, Space::Local, Space::Generic>(space, type);
}

}  // namespace fermata::ptx::FERMATA_LANES
