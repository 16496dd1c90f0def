// The loads and stores themselves.
#include <fermata/stimuli/native/access_paths.h>

namespace fermata::native {

namespace {

/// Returns a vector of indices: index(0), index(1), ...
template <class Index>
std::string indices(Index index, unsigned size) {
  std::string text;
  for (unsigned k = 0; k < size; ++k) text += fmt::format("{}i32 {}", k == 0 ? "" : ", ", index(k));
  return fmt::format("<{} x i32> <{}>", size, text);
}
std::string vectorOf(unsigned size, unsigned bits) {
  return fmt::format("<{} x i{}>", size, bits);
}
/// Returns two vectors side by side.
std::string beside(LaneCode& c, const std::string& a, const std::string& b, unsigned size,
                   unsigned bits) {
  const std::string type = vectorOf(size, bits);
  return c.def("shufflevector {} {}, {} {}, {}", type, a, type, b,
               indices([](unsigned k) { return k; }, 2 * size));
}
std::string shuffled(LaneCode& c, const std::string& type, const std::string& value,
                     const std::string& order) {
  return c.def("shufflevector {} {}, {} poison, {}", type, value, type, order);
}

}  // namespace

/// Loads or stores half a warp at each pointer, elements side by side: those of one lane behind
/// those of the lane before. Of two lanes that store to one place, the higher one stores last.
void AccessPaths::writeHalfRows(const std::string& low, const std::string& high) {
  const unsigned count = i_.elements, half = count * kHalf, all = count * kWarpLanes;
  const std::string part = vectorOf(half, bits()), whole = vectorOf(all, bits());
  if (access_.isLoad) {
    const std::string first = c_.def("load {}, ptr {}, align 1", part, low);
    const std::string second = c_.def("load {}, ptr {}, align 1", part, high);
    const std::string value = beside(c_, first, second, half, bits());
    for (unsigned e = 0; e < count; ++e) {
      const auto at = [&](unsigned lane) { return lane * count + e; };
      setElement(c_, i_, access_, e,
                 count == 1 ? value : shuffled(c_, whole, value, indices(at, kWarpLanes)));
    }
    return;
  }
  std::string value = data_[0];
  if (count > 1) {
    std::string joined = beside(c_, data_[0], data_[1], kWarpLanes, bits());
    if (count == 4) {
      const std::string other = beside(c_, data_[2], data_[3], kWarpLanes, bits());
      joined = beside(c_, joined, other, 2 * kWarpLanes, bits());
    }
    const auto at = [&](unsigned k) { return k % count * kWarpLanes + k / count; };
    value = shuffled(c_, whole, joined, indices(at, all));
  }
  const auto from = [&](unsigned begin) {
    return shuffled(c_, whole, value, indices([&](unsigned k) { return begin + k; }, half));
  };
  c_.line("store {} {}, ptr {}, align 1", part, from(0), low);
  c_.line("store {} {}, ptr {}, align 1", part, from(half), high);
}

/// Loads or stores the lanes that execute; lane 0 is at the pointer.
void AccessPaths::writePartOfRow(const std::string& pointer) {
  const std::string whole = vectorOf(kWarpLanes, bits());
  const std::string name = fmt::format("v32i{}.p0", bits());
  const std::string lanes = c_.lanes();
  if (!access_.isLoad) {
    return c_.callVoid("llvm.masked.store." + name,
                       {{whole, data_[0]}, {"ptr", pointer}, {"i32", "1"}, {"<32 x i1>", lanes}});
  }
  setElement(
      c_, i_, access_, 0,
      c_.call(whole, "llvm.masked.load." + name,
              {{"ptr", pointer}, {"i32", "1"}, {"<32 x i1>", lanes}, {whole, "zeroinitializer"}}));
}

/// Loads one place for each half.
void AccessPaths::writeOnes(const std::string& low, const std::string& high) {
  for (unsigned e = 0; e < i_.elements; ++e) {
    const auto load = [&](const std::string& pointer) {
      return c_.def("load i{}, ptr {}, align 1", bits(), c_.address(pointer, e * access_.bytes));
    };
    const std::string first = load(low);
    setElement(c_, i_, access_, e, c_.halves(bits(), first, load(high)));
  }
}

/// Local memory at one offset: a row for each word.
void AccessPaths::writeLocalWords(const std::string& pointer) {
  const unsigned words = access_.bytes / 4;
  for (unsigned e = 0; e < i_.elements; ++e) {
    std::string row[2];
    for (unsigned k = 0; k < words; ++k)
      row[k] = c_.address(pointer, (e * words + k) * ptx::kRowBytes);
    if (access_.isLoad) {
      std::string value = c_.def("load <32 x i32>, ptr {}, align 4", row[0]);
      if (words == 2) {
        const std::string high = c_.def("load <32 x i32>, ptr {}, align 4", row[1]);
        value = joined(value, high);
      }
      setElement(c_, i_, access_, e, value);
      continue;
    }
    for (unsigned k = 0; k < words; ++k) {
      std::string value = part(data_[e], k);
      if (!c_.all()) {
        const std::string old = c_.def("load <32 x i32>, ptr {}, align 4", row[k]);
        value = c_.select(c_.lanes(), "<32 x i32>", value, old);
      }
      c_.line("store <32 x i32> {}, ptr {}, align 4", value, row[k]);
    }
  }
}

std::string AccessPaths::joined(const std::string& low, const std::string& high) {
  const std::string first = c_.cast("zext", low, "<32 x i32>", "<32 x i64>");
  const std::string second = c_.cast("zext", high, "<32 x i32>", "<32 x i64>");
  return c_.op("or", "<32 x i64>", first, c_.op("shl", "<32 x i64>", second, c_.splat(64, 32)));
}

/// Returns word k of an element.
std::string AccessPaths::part(const std::string& value, unsigned k) {
  if (access_.bytes == 4) return value;
  const std::string word = k == 0 ? value : c_.op("lshr", "<32 x i64>", value, c_.splat(64, 32));
  return c_.cast("trunc", word, "<32 x i64>", "<32 x i32>");
}

std::string AccessPaths::gathered(unsigned width, const std::string& data,
                                  const std::string& offsets) {
  const std::string vector = vectorOfBits(width);
  const std::string at = c_.def("getelementptr i8, ptr {}, <32 x i32> {}", data, offsets);
  const std::string lanes = c_.all() ? c_.allLanes() : c_.lanes();
  return c_.call(vector, fmt::format("llvm.masked.gather.v32i{}.v32p0", width),
                 {{"<32 x ptr>", at},
                  {"i32", std::to_string(width / 8)},
                  {"<32 x i1>", lanes},
                  {vector, "zeroinitializer"}});
}

void AccessPaths::scatter(unsigned width, const std::string& value, const std::string& data,
                          const std::string& offsets) {
  const std::string at = c_.def("getelementptr i8, ptr {}, <32 x i32> {}", data, offsets);
  const std::string lanes = c_.all() ? c_.allLanes() : c_.lanes();
  c_.callVoid(fmt::format("llvm.masked.scatter.v32i{}.v32p0", width),
              {{vectorOfBits(width), value},
               {"<32 x ptr>", at},
               {"i32", std::to_string(width / 8)},
               {"<32 x i1>", lanes}});
}

/// Returns elements shorter than a word, out of the words that hold them.
std::string AccessPaths::gatheredPart(const std::string& data, const std::string& offsets) {
  const std::string vector = "<32 x i32>";
  const std::string words = c_.op("and", vector, offsets, c_.splat(32, ~std::uint64_t{3}));
  const std::string within = c_.op("and", vector, offsets, c_.splat(32, 3));
  const std::string value = gathered(32, data, words);
  const std::string by = c_.op("shl", vector, within, c_.splat(32, 3));
  return c_.cast("trunc", c_.op("lshr", vector, value, by), vector, vectorOfBits(bits()));
}

void AccessPaths::each(const std::string& data, const std::string& offsets) {
  for (unsigned e = 0; e < i_.elements; ++e) {
    if (access_.isLoad && access_.bytes < 4) {
      const std::string moved =
          e == 0 ? offsets : c_.op("add", "<32 x i32>", offsets, c_.splat(32, e * access_.bytes));
      setElement(c_, i_, access_, e, gatheredPart(data, moved));
      continue;
    }
    const std::string at = c_.address(data, e * access_.bytes);
    if (access_.isLoad) {
      setElement(c_, i_, access_, e, gathered(bits(), at, offsets));
    } else {
      scatter(bits(), data_[e], at, offsets);
    }
  }
}

void AccessPaths::eachLocal(const std::string& data, const std::string& offsets) {
  const std::string vector = "<32 x i32>";
  const std::string rows = c_.op("shl", vector, offsets, c_.splat(32, 5));
  const std::string at = c_.op("add", vector, rows, c_.ramp(32, 4));
  const unsigned words = access_.bytes / 4;
  for (unsigned e = 0; e < i_.elements; ++e) {
    std::string values[2];
    for (unsigned k = 0; k < words; ++k) {
      const std::string row = c_.address(data, (e * words + k) * ptx::kRowBytes);
      if (access_.isLoad) values[k] = gathered(32, row, at);
      if (!access_.isLoad) scatter(32, part(data_[e], k), row, at);
    }
    if (!access_.isLoad) continue;
    setElement(c_, i_, access_, e, words == 2 ? joined(values[0], values[1]) : values[0]);
  }
}

}  // namespace fermata::native
