// fixed-xor and add: hashes without configuration of the low m and the next m address bits (van den
// Braak, Gomez-Luna, Corporaal, Gonzalez-Linares, Guil: Simulation and architecture improvements of
// atomic operations on GPU scratchpad memory, ICCD 2013, table I). The row is the address above the
// low m bits.
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/linear.h>

namespace fermata::indexing {
namespace {

constexpr const char* kTable = "van den Braak et al., ICCD 2013, section IV";

class AddIndexer final : public Indexer {
 public:
  AddIndexer(const Shape& shape, unsigned bits) : Indexer(shape), bits_(bits) {
    rows_ = ((shape.words - 1) >> bits) + 1;
  }
  Location location(std::uint32_t word) const override {
    return {(word + (word >> bits_)) & (shape_.banks - 1), word >> bits_};
  }
  void locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const override {
    kernels::add(bits_, shape_.words - 1, word, bank, row);
  }
  std::string text() const override { return "add"; }
  Cost cost() const override {
    Cost cost;
    cost.source = std::string(kTable) +
                  ": an adder of m bits, 2m-1 gate delays as a ripple carry; " +
                  "assumed to fit beside base + offset";
    return cost;
  }

 private:
  unsigned bits_;
};

}  // namespace

std::unique_ptr<Indexer> buildFixedXor(Arguments& arguments, const Shape& shape) {
  arguments.expectNoMore();
  const unsigned m = bankBits(shape, "fixed-xor");
  const unsigned n = addressBits(shape, m);
  gf2::Matrix bank{n, {}};
  for (unsigned i = 0; i < m; ++i) {
    std::uint32_t row = std::uint32_t{1} << i;
    if (i + m < n) row |= std::uint32_t{1} << (i + m);
    bank.rows.push_back(row);
  }
  Cost cost;
  cost.source = std::string(kTable) +
                ": one XOR gate a bank bit; van den Braak et al., Configurable " +
                "XOR Hash Functions, IEEE TC 2016, section 4.5: negligible latency";
  return std::make_unique<LinearIndexer>(shape, std::move(bank), "fixed-xor", std::move(cost));
}

std::unique_ptr<Indexer> buildAdd(Arguments& arguments, const Shape& shape) {
  arguments.expectNoMore();
  return std::make_unique<AddIndexer>(shape, bankBits(shape, "add"));
}

}  // namespace fermata::indexing
