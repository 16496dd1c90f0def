// The loads and stores themselves.
#include <fermata/stimuli/native/access_paths.h>

namespace fermata::native {

/// Loads or stores elements side by side, those of one lane behind those of the lane before.
void AccessPaths::writeRow(const std::string& pointer) {
  const unsigned count = i_.elements, all = count * kWarpLanes;
  const std::string whole = fmt::format("<{} x i{}>", all, bits());
  if (!c_.all()) {
    const std::string name = fmt::format("v32i{}.p0", bits());
    if (access_.isLoad) {
      const std::string value = c_.call(
          whole, "llvm.masked.load." + name,
          {{"ptr", pointer}, {"i32", "1"}, {"<32 x i1>", c_.lanes()}, {whole, "zeroinitializer"}});
      return setElement(c_, i_, access_, 0, value);
    }
    return c_.callVoid(
        "llvm.masked.store." + name,
        {{whole, data_[0]}, {"ptr", pointer}, {"i32", "1"}, {"<32 x i1>", c_.lanes()}});
  }
  const auto indices = [&](auto index, unsigned size) {
    std::string text;
    for (unsigned k = 0; k < size; ++k)
      text += fmt::format("{}i32 {}", k == 0 ? "" : ", ", index(k));
    return fmt::format("<{} x i32> <{}>", size, text);
  };
  if (access_.isLoad) {
    const std::string value = c_.def("load {}, ptr {}, align 1", whole, pointer);
    for (unsigned e = 0; e < count; ++e) {
      const auto at = [&](unsigned lane) { return lane * count + e; };
      const std::string one = count == 1 ? value
                                         : c_.def("shufflevector {} {}, {} poison, {}", whole,
                                                  value, whole, indices(at, kWarpLanes));
      setElement(c_, i_, access_, e, one);
    }
    return;
  }
  std::string value = data_[0];
  if (count > 1) {
    const auto beside = [&](const std::string& a, const std::string& b, unsigned size) {
      const std::string type = fmt::format("<{} x i{}>", size, bits());
      return c_.def("shufflevector {} {}, {} {}, {}", type, a, type, b,
                    indices([](unsigned k) { return k; }, 2 * size));
    };
    std::string joined = beside(data_[0], data_[1], kWarpLanes);
    if (count == 4) joined = beside(joined, beside(data_[2], data_[3], kWarpLanes), 2 * kWarpLanes);
    const auto at = [&](unsigned k) { return k % count * kWarpLanes + k / count; };
    value = c_.def("shufflevector {} {}, {} poison, {}", whole, joined, whole, indices(at, all));
  }
  c_.line("store {} {}, ptr {}, align 1", whole, value, pointer);
}

/// Loads one place for all lanes.
void AccessPaths::writeOne(const std::string& pointer) {
  for (unsigned e = 0; e < i_.elements; ++e) {
    const std::string value =
        c_.def("load i{}, ptr {}, align 1", bits(), c_.address(pointer, e * access_.bytes));
    setElement(c_, i_, access_, e, c_.spread(bits(), value));
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
