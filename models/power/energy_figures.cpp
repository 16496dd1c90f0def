#include <fermata/models/power/energy_account.h>

namespace fermata {

namespace {

using Real = std::optional<double>;

Real nanojoules(const EnergyAccount& account, std::uint64_t femtojoules) {
  if (!account.unpriced().empty()) return {};
  return static_cast<double>(femtojoules) * 1e-6;
}

Real energy(const EnergyAccount& account) {
  return nanojoules(account, account.total().nominal);
}

/// Not defined for a run of no cycles.
Real averagePower(const EnergyAccount& account) {
  const Real whole = energy(account);
  if (!whole || account.cycles() == 0) return {};
  return *whole * 1e-6 / account.seconds(account.cycles());
}

Real perWarpInstruction(const EnergyAccount& account) {
  const Real whole = energy(account);
  const std::uint64_t instructions = account.count(EnergyAction::Issue);
  if (!whole || instructions == 0) return {};
  return *whole * 1e3 / static_cast<double>(instructions);
}

Real energyDelay(const EnergyAccount& account) {
  const Real whole = energy(account);
  if (!whole) return {};
  return *whole * 1e6 * account.seconds(account.cycles());
}

}  // namespace

const Figures<EnergyAccount>& EnergyAccount::figures() {
  static const Figures<EnergyAccount> all{
      {"energy_nj", "nJ",
       "energy of the run, leakage included, at nominal prices; empty where an action has no price",
       energy},
      {"energy_low_nj", "nJ",
       "energy of the run, leakage included, at the lowest prices; empty where an action has no "
       "price",
       [](const EnergyAccount& account) { return nanojoules(account, account.total().low); }},
      {"energy_high_nj", "nJ",
       "energy of the run, leakage included, at the highest prices; empty where an action has no "
       "price",
       [](const EnergyAccount& account) { return nanojoules(account, account.total().high); }},
      {"average_power_mw", "mW", "energy_nj divided by the time of the run", averagePower},
      {"energy_per_warp_instruction_pj", "pJ/warp instruction",
       "energy_nj divided by the warp instructions", perWarpInstruction},
      {"energy_delay_nj_us", "nJ us", "energy-delay product: energy_nj times the time of the run",
       energyDelay},
      {"replay_energy_nj", "nJ",
       "part of energy_nj that replays and squashes take: issue slots, operands read again, "
       "addresses and banks that lanes compute again",
       [](const EnergyAccount& account) {
         return nanojoules(account, account.ofRetries().nominal);
       }}};
  return all;
}

}  // namespace fermata
