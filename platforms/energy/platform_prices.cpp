#include <fermata/platforms/energy/platform_prices.h>

#include <cmath>
#include <functional>
#include <map>

#include <fermata/models/indexing/mapping_text.h>
#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/chip_share.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

std::string familyOf(const std::string& mapping) {
  return std::string(indexing::Arguments(mapping, "").name().text);
}

double bankBytes(double bytes, std::uint64_t banks) {
  return bytes / static_cast<double>(banks);
}

/// True if scratchpad and L1 are parts of one array.
bool isOneArray(const PlatformParameters& p) {
  return hasL1(p.globalMemory) &&
         (p.l1.split != ArraySplit::Free || p.l1.array == L1Array::Scratchpad);
}

ComponentSize scratchpadSize(const PlatformParameters& p) {
  const ScratchpadParameters& s = p.scratchpad;
  const double array = s.bytes + (isOneArray(p) ? p.l1.shape.bytes : 0);
  return {std::uint64_t{p.sms} * s.banks, bankBytes(s.bytes, s.banks), bankBytes(array, s.banks)};
}

ComponentSize l1Size(const PlatformParameters& p) {
  const std::uint32_t banks = l1Banks(p)->shape().banks;
  const double array = p.l1.shape.bytes + (isOneArray(p) ? p.scratchpad.bytes : 0);
  return {std::uint64_t{p.sms} * banks, bankBytes(p.l1.shape.bytes, banks),
          bankBytes(array, banks)};
}

ComponentSize memory(std::uint64_t instances, double bytes) {
  return {instances, bytes, bytes};
}

constexpr double kRegisterBytes = 4;
constexpr double kBitsOfByte = 8;

}  // namespace

ComponentSize sizeOf(const std::string& component, const PlatformParameters& p) {
  const bool caches = p.globalMemory == GlobalMemory::Caches;
  const bool l1 = hasL1(p.globalMemory);
  const bool locks = p.crossbar.atomics->needs.locks;
  const std::uint64_t sms = p.sms;
  const PlatformParameters cut = shareOf(p);
  const auto registers = static_cast<double>(p.core.limits.registers);
  using Size = std::function<ComponentSize()>;
  const std::map<std::string, Size> sizes{
      {"issue", [&] { return memory(sms, 0); }},
      {"register_file", [&] { return memory(sms, kRegisterBytes * registers); }},
      {"agu", [&] { return memory(sms * kWarpLanes, 0); }},
      {"indexer", [&] { return memory(sms * kWarpLanes, 0); }},
      {"crossbar", [&] { return memory(sms, 0); }},
      {"scratchpad", [&] { return scratchpadSize(p); }},
      {"lock_unit", [&] { return memory(locks ? sms : 0, p.lock.locks / kBitsOfByte); }},
      {"l1_tags", [&] { return memory(l1 ? sms : 0, 0); }},
      {"l1_indexer", [&] { return memory(l1 ? sms * kWarpLanes : 0, 0); }},
      {"l1", [&] { return l1 ? l1Size(p) : ComponentSize{}; }},
      {"mshr", [&] { return memory(l1 ? sms * p.l1.mshrs : 0, 0); }},
      {"l2",
       [&] {
         return memory(caches ? cut.l2.slices : 0, bankBytes(cut.l2.shape.bytes, cut.l2.slices));
       }},
      {"dram", [&] { return memory(isFlat(p.globalMemory) ? 0 : cut.dram.channels, 0); }}};
  return sizes.at(component)();
}

namespace {

/// Returns the price of a family, or otherwise the price for all families; null: none.
const Price* findPrice(const PriceTable& table, const std::string& component,
                       const std::string& action, const std::string& family) {
  const Price* general = nullptr;
  for (const Price& price : table.prices) {
    if (price.component != component || price.action != action) continue;
    if (price.family.empty()) general = &price;
    if (!price.family.empty() && price.family == family) return &price;
  }
  return general;
}

}  // namespace

const Price* findPrice(const PriceTable& table, const std::string& component,
                       const std::string& action, const PlatformParameters& platform) {
  if (component == "indexer")
    return findPrice(table, component, action, familyOf(platform.scratchpad.indexer));
  if (component != "l1_indexer") return findPrice(table, component, action, "");
  const std::string family = familyOf(platform.l1.indexer);
  const Price* const own = findPrice(table, component, action, family);
  return own != nullptr ? own : findPrice(table, "indexer", action, family);
}

namespace {

/// Scales prices to the platform.
class Pricing {
 public:
  Pricing(const PriceTable& table, const PlatformParameters& platform)
      : table_(table), platform_(platform) {}

  std::optional<Energy> action(const std::string& component, const std::string& action) const {
    const Price* const price = findPrice(table_, component, action, platform_);
    if (price == nullptr) return {};
    return energy(*price, scaleOf(*price)) + ofMapping(component, action);
  }

  /// Returns the price times `scale` in whole fJ or nW: low, nominal, high.
  template <class Amount>
  static Amount whole(const Price& price, double scale) {
    std::array<std::uint64_t, 3> bounds{};
    for (unsigned i = 0; i < bounds.size(); ++i) {
      const double amount = price.amounts[i] * price.unit->scale * scale;
      if (!(amount <= mostOf(*price.unit)))
        refuse(price, "is more than 1 uJ or kW on this platform; expected up to that");
      bounds[i] = static_cast<std::uint64_t>(std::llround(amount));
      if (bounds[i] == 0 && price.amounts[i] != 0)
        refuse(price, "is less than a femtojoule or a nanowatt; expected whole ones, or 0");
    }
    return {bounds[0], bounds[1], bounds[2]};
  }
  static Energy energy(const Price& price, double scale) { return whole<Energy>(price, scale); }

  EnergyPrices::Standing standing(const std::string& component) const {
    EnergyPrices::Standing standing{component, {}, {}};
    const ComponentSize size = sizeOf(component, platform_);
    const auto instances = static_cast<double>(size.instances);
    const auto of = [&](std::string_view action) {
      return findPrice(table_, component, std::string(action), platform_);
    };
    if (size.instances == 0) return standing;
    if (const Price* leakage = of(kLeakageAction)) {
      if (leakage->bytes) requireBytes(*leakage, size.bytes);
      const double grown =
          leakage->bytes ? std::pow(size.bytes / *leakage->bytes, table_.leakageExponent) : 1;
      standing.leakage = whole<Power>(*leakage, instances * grown);
    }
    if (const Price* clock = of(kClockAction); clock != nullptr && !platform_.clockGating)
      standing.clock = energy(*clock, instances);
    return standing;
  }

 private:
  [[noreturn]] static void refuse(const Price& price, const std::string& why) {
    fermata::refuse(price.where, "the price of {}.{} {}", price.component, price.action, why);
  }
  static void requireBytes(const Price& price, double bytes) {
    if (bytes != 0) return;
    fermata::refuse(price.where,
                    "'bytes' of {}, whose capacity no platform has; expected a price without",
                    price.component);
  }

  /// Returns the energy of finding a set or a lock: both use a mapping, as a bank does.
  Energy ofMapping(const std::string& component, const std::string& action) const {
    std::string mapping;
    if (component == "l1_tags" && action == "lookup") mapping = platform_.l1.sets;
    if (component == "lock_unit" && action == "read") mapping = platform_.lock.indexer;
    if (mapping.empty()) return {};
    const Price* const price = findPrice(table_, "indexer", "index", familyOf(mapping));
    return price == nullptr ? Energy{} : energy(*price, 1);
  }

  double scaleOf(const Price& price) const {
    if (price.unit->kind == PriceUnit::Kind::EnergyOfWire) {
      const double bits = kBitsOfByte * platform_.scratchpad.bankBytes;
      return bits * (bits * price.wirePitch);  // a link of that many wires, as long as it is wide
    }
    if (!price.bytes) return 1;
    const ComponentSize size = sizeOf(price.component, platform_);
    if (size.instances == 0) return 1;  // the action cannot happen
    requireBytes(price, size.accessed);
    return std::pow(size.accessed / *price.bytes, table_.accessExponent);
  }

  const PriceTable& table_;
  const PlatformParameters& platform_;
};

void requireClock(const PriceTable& table, const PlatformParameters& platform) {
  if (platform.clockGating) return;
  for (const Price& price : table.prices) {
    if (price.action != kClockAction) continue;
    if (table.isOther(price.component) || sizeOf(price.component, platform).instances != 0) return;
  }
  refuse(table.where,
         "no price of a clock, but power.clock_gating is off; expected a [[price]] with action = "
         "\"clock\"");
}

/// Adds a price of a module that is not the model's: one instance.
void addOther(const Price& price, bool clockGating, EnergyPrices& prices) {
  if (price.action == kLeakageAction) {
    prices.standing.push_back({price.component, Pricing::whole<Power>(price, 1), {}});
  } else if (price.action == kClockAction) {
    if (!clockGating) prices.standing.push_back({price.component, {}, Pricing::energy(price, 1)});
  } else {
    prices.others[price.component + "." + price.action] = Pricing::energy(price, 1);
  }
}

}  // namespace

EnergyPrices pricesOf(const PriceTable& table, const PlatformParameters& platform) {
  requireClock(table, platform);
  const Pricing pricing(table, platform);
  EnergyPrices prices;
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    const EnergyActionText& text = describe(static_cast<EnergyAction>(i));
    prices.actions[i] = pricing.action(std::string(text.component), std::string(text.action));
  }
  for (const std::string_view component : energyComponents()) {
    EnergyPrices::Standing standing = pricing.standing(std::string(component));
    prices.standing.push_back(std::move(standing));
  }
  for (const Price& price : table.prices) {
    if (table.isOther(price.component)) addOther(price, platform.clockGating, prices);
  }
  return prices;
}

std::unique_ptr<EnergyAccount> openAccount(const std::optional<EnergyRequest>& request,
                                           const PlatformParameters& platform) {
  if (!request && !platform.clockGating)
    refuse(
        "power.clock_gating = false has no effect, for no energy is booked; expected --power, or "
        "'power' in a study");
  if (!request) return nullptr;
  const double megahertz = platform.clock.frequencyMhz;
  if (const std::string text = Clock::wrong(megahertz); !text.empty())
    refuse("clock.frequency_mhz: {}", text);
  return std::make_unique<EnergyAccount>(Clock::fromMegahertz(megahertz),
                                         pricesOf(request->prices, platform), request->window);
}

/// Places the error at the last price of the same component, otherwise at the last price of all.
void requirePrices(const PriceTable& table, const EnergyAccount& account, const std::string& run) {
  const std::vector<EnergyAccount::Line> unpriced = account.unpriced();
  if (unpriced.empty()) return;
  const EnergyAccount::Line& first = unpriced.front();
  SourceLocation where = table.prices.back().where;
  for (const Price& price : table.prices) {
    if (price.component == first.component) where = price.where;
  }
  std::string others;
  for (std::size_t i = 1; i < unpriced.size(); ++i)
    others += (i == 1 ? "; nor for " : ", ") + unpriced[i].component + "." + unpriced[i].action;
  refuse(where,
         "no price for {0}.{1}, which happened {2} times in {3}{4}; expected a [[price]] with "
         "component = \"{0}\", action = \"{1}\" (of each: {5})",
         first.component, first.action, first.count, run, others, first.each);
}

}  // namespace fermata::platforms
