// mod B: the bank is the low bits of the word address, as in every GPU that publishes its banks.
#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/lane_kernels.h>
#include <fermata/models/indexing/linear.h>

namespace fermata::indexing {
namespace {

class ModuloIndexer final : public Indexer {
 public:
  ModuloIndexer(const Shape& shape, unsigned bits) : Indexer(shape), bits_(bits) {
    rows_ = ((shape.words - 1) >> bits) + 1;
  }
  Location location(std::uint32_t word) const override {
    return {word & (shape_.banks - 1), word >> bits_};
  }
  void locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const override {
    kernels::split(bits_, shape_.words - 1, word, bank, row);
  }
  std::string text() const override { return "mod " + std::to_string(shape_.banks); }
  Cost cost() const override { return {"wires only"}; }
  std::string bankInC(const std::string& word) const override {
    return remainderInC(word, shape_.banks);
  }

 private:
  unsigned bits_;
};

std::unique_ptr<Indexer> buildModulo(Arguments& arguments, const Shape& shape) {
  Shape own = shape;
  own.banks = arguments.number("bank count", 1, 4096);
  arguments.expectNoMore();
  if ((own.banks & (own.banks - 1)) != 0) {
    throw IndexingError("mod " + std::to_string(own.banks) +
                            " is not made of address bits; expected a power of two, or ami " +
                            std::to_string(own.banks),
                        arguments.endColumn() - std::to_string(own.banks).size());
  }
  return std::make_unique<ModuloIndexer>(own, bankBits(own, "mod"));
}

}  // namespace

extern const Family kModulo{"mod", "mod B (B a power of two)", "mod 32",
                            "word modulo a power of two", buildModulo};

}  // namespace fermata::indexing
