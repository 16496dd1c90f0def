// The actions of components that the model counts because they cost energy. A table of prices, as
// energy.csv, names an action by component and action.
#pragma once

#include <fermata/models/probe/probe.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

enum class EnergyAction : std::uint8_t {
  Issue,          ///< fetch, decode, scoreboard and schedule of a warp instruction
  Retry,          ///< issue of a warp instruction from the replay buffer
  RegisterRead,   ///< an operand of all lanes
  RegisterWrite,  ///< an operand of all lanes; booked when the instruction issues
  Address,        ///< computing a lane's address
  Index,          ///< mapping a lane's word onto its bank of the scratchpad
  Wire,           ///< moving a word over one pitch of the crossbar (WireCounter)
  ScratchpadRead,
  ScratchpadWrite,
  LockRead,
  LockWrite,
  L1Lookup,
  L1Index,  ///< mapping a lane's word onto its bank of the L1
  L1Read,
  L1Write,
  MshrUse,
  L2Read,
  L2Write,
  DramActivate,
  DramRead,
  DramWrite,
  ForeignRead,  ///< a byte of a foreign memory in the place of DRAM
  ForeignWrite,
};
inline constexpr unsigned kEnergyActions = 23;
/// Returns the place of the action in a table by action.
constexpr unsigned indexOf(EnergyAction action) {
  return static_cast<unsigned>(action);
}

// Names, in tables of prices, of what a component takes even if it does not act.
inline constexpr std::string_view kLeakageAction = "leakage";
inline constexpr std::string_view kClockAction = "clock";

/// The name of an action, and the unit that it is counted in.
struct EnergyActionText {
  std::string_view component;
  std::string_view action;
  std::string_view each;  ///< unit: "warp instruction", "lane", "byte"
};
const EnergyActionText& describe(EnergyAction action);
/// Returns the action; nothing: no component of the model has it.
std::optional<EnergyAction> findEnergyAction(std::string_view component, std::string_view action);
/// True if the component has an action.
bool isEnergyComponent(std::string_view component);
/// Returns every component once, in the order of the actions.
std::vector<std::string_view> energyComponents();

/// Returns the action that an EffortEvent reports.
EnergyAction energyActionOf(EffortEvent::What what);

}  // namespace fermata
