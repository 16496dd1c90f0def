#include <fermata/platforms/program/cost/paper_costs.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/platforms/program/study/claims.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

constexpr unsigned kPaperAddressBits = 32;
constexpr double kAdderBits = 32;  // width of the table's ripple-adder

double share(double part, double whole) {
  return 100 * part / whole;
}

/// Formats ratios to the first value: "1 : 2.5 : 2.6".
std::string ratios(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) {
    text += (text.empty() ? "" : " : ") + fmt::format("{:.2g}", value / values.front());
  }
  return text;
}

class Comparing {
 public:
  explicit Comparing(const CostTable& table)
      : table_(table),
        claims_(readClaims()),
        multiplier_(table.one("multiplier", "bits=32 product=64")),
        adder_(table.one("ripple-adder", "bits=32")) {}

  void text(const PricedText& one) {
    const BlockCost& first = one.rows.front();
    if (first.block == "ami") modulus(one);
    if (std::any_of(kHashes.begin(), kHashes.end(),
                    [&](const Hash& hash) { return hash.block == first.block; })) {
      hashes();
    }
    if (first.block == "crossbar" || first.block == "pass-arbiter") crossbar();
  }
  std::vector<ComparedCost> take() { return std::move(lines_); }

 private:
  struct Hash {
    std::string block;
    const char* claim;
  };
  inline static const std::array<Hash, 4> kHashes = {{{"perm", "xor.cost.bitvector_perm"},
                                                      {"xor", "xor.cost.bitvector_xor"},
                                                      {"bits", "xor.cost.bitwise_perm"},
                                                      {"pairs", "xor.cost.bitwise_xor"}}};

  const Claim& claim(const std::string& id) const {
    const auto found = claims_.find(id);
    if (found == claims_.end())
      refuse("no claim '{}'; expected it as an id of published/claims.csv", id);
    return found->second;
  }

  void modulus(const PricedText& one) {
    std::string area;
    std::string energy;
    std::string glitches;
    const BlockCost* bank = nullptr;
    for (const BlockCost& row : one.rows) {
      if (row.addressBits != kPaperAddressBits) continue;
      const std::string label = row.gives == "bank" ? "MOD " : "DIV and MOD ";
      const char* comma = area.empty() ? "" : "; ";
      area += fmt::format("{}{}{:.1f}", comma, label, share(row.gates, multiplier_.gates));
      energy += fmt::format("{}{}{:.1f}", comma, label, share(row.energy, multiplier_.energy));
      if (row.gives == "bank") bank = &row;
    }
    if (bank == nullptr) return;
    if (bank->energyGlitches && multiplier_.energyGlitches) {
      glitches = fmt::format("with glitches MOD {:.1f}; ",
                             share(*bank->energyGlitches, *multiplier_.energyGlitches));
    }
    const unsigned number = numberOf(*bank);
    const indexing::AmiArithmetic arithmetic(number);
    const unsigned adders = arithmetic.fullAdders(kPaperAddressBits);
    const double paperArea = adders / kAdderBits * adder_.gates;
    const double paperEnergy = adders / kAdderBits * adder_.energy;
    const double femtojoules = std::stod(claim("ami.cost.energy").value);
    const std::string name = "ami " + std::to_string(number);
    lines_.push_back(
        {"area of " + name + ", percent of a 32-bit multiplier", claim("ami.cost.area_share").place,
         "< " + claim("ami.cost.area_share").value, area,
         fmt::format("the paper extrapolates from a full adder: the array's {} of these cells are "
                     "{:.1f} percent; the step from the sum to MOD, and DIV, come on top",
                     adders, share(paperArea, multiplier_.gates))});
    lines_.push_back(
        {"energy of " + name + ", percent of a 32-bit multiplier",
         claim("ami.cost.power_share").place, "< " + claim("ami.cost.power_share").value, energy,
         fmt::format(
             "{}{} full adders alone take {:.1f}. The paper's {} fJ are 0.5 percent of {:.0f} "
             "pJ, of a fused multiply-add in its lane, not of an integer multiplier",
             glitches, adders, share(paperEnergy, multiplier_.energy), femtojoules,
             femtojoules / std::stod(claim("ami.cost.power_share").value) / 10)});
    figure3(name, arithmetic.levels(), *bank);
  }

  void figure3(const std::string& name, unsigned levels, const BlockCost& row) {
    const std::string setting = row.setting.substr(row.setting.find(' '));
    const BlockCost* base = nullptr;
    for (const BlockCost& one : table_.rows()) {
      if (one.block == "ami" && one.setting == "modulus=62" + setting && one.gives == row.gives &&
          one.addressBits == row.addressBits) {
        base = &one;
      }
    }
    if (base == nullptr) return;
    lines_.push_back({"area of " + name + ", of that of ami 62", "Figure 3",
                      fmt::format("{}", levels), fmt::format("MOD {:.2g}", row.gates / base->gates),
                      "the figure's axis counts rows of the array (address bits x digits of the "
                      "reciprocal), not the last step from the sum to MOD"});
  }

  static unsigned numberOf(const BlockCost& row) {
    constexpr std::size_t kAhead = 8;  // length of "modulus="
    return static_cast<unsigned>(std::stoul(row.setting.substr(kAhead)));
  }

  void hashes() {
    if (hashesDone_) return;
    hashesDone_ = true;
    std::vector<double> paperPower;
    std::vector<double> paperArea;
    std::vector<double> area;
    std::vector<double> bare;
    std::vector<double> energy;
    std::vector<double> registers;
    std::vector<double> clocked;
    std::string place;
    for (const Hash& hash : kHashes) {
      const Claim& one = claim(hash.claim);
      const std::size_t slash = one.value.find(" / ");
      paperPower.push_back(std::stod(one.value));
      paperArea.push_back(std::stod(one.value.substr(slash + 3)));
      const BlockCost& row = table_.one(hash.block, "banks=32");  // the first row: 14 address bits
      area.push_back(row.gates);
      bare.push_back(row.gates - row.registers);
      energy.push_back(row.energy);
      registers.push_back(row.registers);
      clocked.push_back(row.energy + row.energyClock);
      place = one.place;
    }
    lines_.push_back({"area of perm : xor : bits : pairs", place, ratios(paperArea), ratios(area),
                      "one printed digit, and each at the clock that suits it; ours without "
                      "registers " +
                          ratios(bare) + ", registers alone " + ratios(registers)});
    lines_.push_back({"energy of perm : xor : bits : pairs", place, ratios(paperPower),
                      ratios(energy),
                      "one printed digit; ours is what an address changes behind a configuration "
                      "that stands still. With the clock of its registers " +
                          ratios(clocked)});
  }

  void crossbar() {
    if (crossbarDone_) return;
    crossbarDone_ = true;
    const auto doubled = [&](const char* block) {
      return table_.one(block, "banks=64").gates / table_.one(block, "banks=32").gates;
    };
    const Claim& paper = claim("ami.cost.crossbar");
    lines_.push_back({"crossbar of 64 banks, of one of 32", paper.place, paper.value,
                      fmt::format("{:.2f}", doubled("crossbar")),
                      fmt::format("the paper's are the muxes and wires; ours the gates, without "
                                  "wires: {:.2f} for the arbiter of the passes, less for what "
                                  "carries the words back to the lanes",
                                  doubled("pass-arbiter"))});
  }

  const CostTable& table_;
  std::map<std::string, Claim> claims_;
  const BlockCost& multiplier_;
  const BlockCost& adder_;
  std::vector<ComparedCost> lines_;
  bool hashesDone_ = false;
  bool crossbarDone_ = false;
};

}  // namespace

std::vector<ComparedCost> besideThePapers(const CostTable& table,
                                          const std::vector<PricedText>& texts) {
  Comparing comparing(table);
  for (const PricedText& one : texts) comparing.text(one);
  return comparing.take();
}

}  // namespace fermata::platforms
