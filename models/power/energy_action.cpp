#include <fermata/models/power/energy_action.h>

#include <algorithm>

namespace fermata {

namespace {

// Texts by EnergyAction.
constexpr std::array<EnergyActionText, kEnergyActions> kTexts{{
    {"issue", "instruction", "warp instruction"},
    {"issue", "retry", "warp instruction"},
    {"register_file", "read", "operand of a warp"},
    {"register_file", "write", "operand of a warp"},
    {"agu", "address", "lane"},
    {"indexer", "index", "lane's word"},
    {"crossbar", "wire", "word and pitch"},
    {"scratchpad", "read", "word"},
    {"scratchpad", "write", "word"},
    {"lock_unit", "read", "lane's word"},
    {"lock_unit", "write", "lane's word"},
    {"l1_tags", "lookup", "line"},
    {"l1_indexer", "index", "lane's word"},
    {"l1", "read", "word"},
    {"l1", "write", "word"},
    {"mshr", "use", "line"},
    {"l2", "read", "sector of 32 bytes"},
    {"l2", "write", "sector of 32 bytes"},
    {"dram", "activate", "row"},
    {"dram", "read", "byte"},
    {"dram", "write", "byte"},
    {"dram", "foreign_read", "byte"},
    {"dram", "foreign_write", "byte"},
}};

constexpr std::array<EnergyAction, EffortEvent::kWhats> kEfforts{
    EnergyAction::L1Lookup,    EnergyAction::L1Write,   EnergyAction::MshrUse,
    EnergyAction::L2Read,      EnergyAction::L2Write,   EnergyAction::DramActivate,
    EnergyAction::DramRead,    EnergyAction::DramWrite, EnergyAction::ForeignRead,
    EnergyAction::ForeignWrite};

}  // namespace

const EnergyActionText& describe(EnergyAction action) {
  return kTexts[indexOf(action)];
}

std::optional<EnergyAction> findEnergyAction(std::string_view component, std::string_view action) {
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    if (kTexts[i].component == component && kTexts[i].action == action)
      return static_cast<EnergyAction>(i);
  }
  return std::nullopt;
}

bool isEnergyComponent(std::string_view component) {
  return std::any_of(kTexts.begin(), kTexts.end(),
                     [&](const EnergyActionText& text) { return text.component == component; });
}

std::vector<std::string_view> energyComponents() {
  std::vector<std::string_view> all;
  for (const EnergyActionText& text : kTexts) {
    if (std::find(all.begin(), all.end(), text.component) == all.end())
      all.push_back(text.component);
  }
  return all;
}

EnergyAction energyActionOf(EffortEvent::What what) {
  return kEfforts[what];
}

}  // namespace fermata
