// What the model counts because it costs energy: actions of components. A table of prices names
// them by component and action, as energy.csv does.
#pragma once

#include <fermata/models/probe/probe.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

enum class EnergyAction : std::uint8_t {
  Issue,          ///< fetch, decode, scoreboard and schedule of a warp instruction
  Retry,          ///< of one that is in the replay buffer
  RegisterRead,   ///< an operand of all lanes
  RegisterWrite,  ///< booked when the instruction issues
  Address,        ///< a lane's address
  Index,          ///< a lane's word to its bank of the scratchpad
  Wire,           ///< a word over a pitch of the crossbar (WireCounter)
  ScratchpadRead,
  ScratchpadWrite,
  LockRead,
  LockWrite,
  L1Lookup,
  L1Index,  ///< a lane's word to its bank of the L1
  L1Read,
  L1Write,
  MshrUse,
  L2Read,
  L2Write,
  DramActivate,
  DramRead,
  DramWrite,
  ForeignRead,  ///< a byte of another memory in the place of DRAM
  ForeignWrite,
};
inline constexpr unsigned kEnergyActions = 23;

// What a component takes whether it acts or not, as tables name it.
inline constexpr std::string_view kLeakageAction = "leakage";
inline constexpr std::string_view kClockAction = "clock";

/// How an action is named, and what one of it is.
struct EnergyActionText {
  std::string_view component;
  std::string_view action;
  std::string_view each;
};
const EnergyActionText& describe(EnergyAction action);
/// Nothing: no component of the model has this action.
std::optional<EnergyAction> findEnergyAction(std::string_view component, std::string_view action);
/// Some action is this component's.
bool isEnergyComponent(std::string_view component);
/// Every component once, in the order of the actions.
std::vector<std::string_view> energyComponents();

/// The same of what modules report by itself.
EnergyAction energyActionOf(EffortEvent::What what);

}  // namespace fermata
