#include <fermata/models/memory/crossbar.h>

#include <algorithm>

namespace fermata {

namespace {

const Crossbar::Parameters& checked(const Crossbar::Parameters& p) {
  if (p.banks < 1 || p.banks > 4096 || p.ports < 1 || p.ports > ConflictResolver::kMostPorts)
    SC_REPORT_FATAL("fermata/crossbar", "banks must be 1 to 4096, ports 1 to 4");
  if (p.rowWords != 1 && p.rowWords != 2 && p.rowWords != 4)
    SC_REPORT_FATAL("fermata/crossbar", "a row of a bank must be 1, 2 or 4 words");
  return p;
}

}  // namespace

Crossbar::Crossbar(const sc_core::sc_module_name& name, const Clock& clock,
                   const Parameters& parameters, Probe* probe)
    : LeavingStage(name, clock),
      parameters_(checked(parameters)),
      array_(std::make_shared<DataArray>(
          DataArray::Parameters{parameters.banks, parameters.ports, parameters.rowWords,
                                parameters.conflictPolicy, parameters.policyValues})),
      counter_(array_->resolver(parameters.groups), {parameters.atomics, parameters.atomicTable},
               parameters.policyValues, parameters.banks, parameters.groups.joins()),
      policy_(array_->policy()),
      probe_(probe) {
  counter_.resolver().setArbiter(parameters.arbiter);
  if (!parameters.groups.joins()) return;
  if (leavesLanes() || !parameters.atomics->needs.joins || parameters.arbiter != nullptr)
    SC_REPORT_FATAL(
        "fermata/crossbar",
        "groups of lanes of two warps need serialize or ideal, atomics that join, and no "
        "arbiter");
}

LaneMask Crossbar::take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  if (access.banks != parameters_.banks)
    SC_REPORT_FATAL("fermata/crossbar",
                    "the indexer maps onto another number of banks than the crossbar has");
  const Cycle more = counter_.resolve(access);
  counter_.join(access);
  relieve(access);
  const Cycle arrival = clock().cycles(clock().stamp() + delay);
  const ConflictPolicy::Served served = policy_.serve(access, counter_.resolver(), arrival);
  delay += clock().time(served.done - 1 - arrival + parameters_.latency + more);
  access.firstPass = served.done - std::max(1U, access.passes);
  countTime(access, served);
  access.allPasses += access.passes;
  access.allFreePasses += access.freePasses;
  if (probe_ != nullptr) {
    probe_->sharedTry(access);
    if (access.lastTry(served.left)) probe_->sharedAccess(access);
  }
  return served.left;
}

void Crossbar::countTime(WarpAccess& access, const ConflictPolicy::Served& served) {
  const bool known = served.held != 0;
  const Cycle held = known ? served.held : served.done;
  const bool left = !access.lastTry(served.left);
  conflictTime_.add({known ? served.first : held - access.passes, held, served.done, access.passes,
                     access.freePasses, left, access.leftSince});
  if (left && access.leftSince == 0) access.leftSince = held;
}

// Debug accesses resolve conflicts, too: which lane wins a word does not depend on time.
void Crossbar::translate(tlm::tlm_generic_payload& payload) {
  WarpAccess& access = warpAccess(payload);
  counter_.resolve(access);
  relieve(access);
}

void Crossbar::relieve(WarpAccess& access) {
  if (!conflictFree_ || !isConflictFree(access)) return;
  access.passes = access.freePasses;
  access.degree = std::min(access.degree, 1U);
  for (unsigned g = 0; g < access.groups; ++g)
    access.groupPasses[g] = std::min<std::uint8_t>(access.groupPasses[g], 1);
}

void Crossbar::setConflictFree(ConflictFree source) {
  conflictFree_ = std::move(source);
  conflictFreeOf_.clear();
}

bool Crossbar::isConflictFree(const WarpAccess& access) {
  if (access.program >= conflictFreeOf_.size()) conflictFreeOf_.resize(access.program + 1);
  std::vector<std::uint8_t>& ofProgram = conflictFreeOf_[access.program];
  if (ofProgram.empty()) ofProgram = conflictFree_(access.program);
  return ofProgram.at(access.instruction.pc) != 0;
}

}  // namespace fermata
