#include <fermata/platforms/compose/rtl_parts.h>

#include <fermata/models/rtl/block_arbiter.h>
#include <fermata/models/rtl/block_indexer.h>
#include <fermata/models/rtl/block_lock_unit.h>
#include <fermata/models/rtl/block_scratchpad.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/refuse.h>

#include <cstring>

namespace fermata::platforms {

using rtl::Implementation;

namespace {

void require(bool holds, const PlaceOf& placeOf, const char* path, Implementation how,
             const char* other, const std::string& value, const char* expected) {
  if (holds) return;
  refuse(placeOf({path, other}), "{} = {} with {} = {}; expected {}", path, choiceName(how), other,
         value, expected);
}

}  // namespace

void checkRtl(PlatformParameters& p, const PlaceOf& placeOf, const StandsAgainst& standsAgainst) {
  const RtlParameters& rtl = p.rtl;
  if (rtl.crossbar != Implementation::Model)
    require(p.crossbar.ports == 1, placeOf, "rtl.crossbar", rtl.crossbar, "scratchpad.ports",
            std::to_string(p.crossbar.ports), "1: a bank of the block delivers a row a pass");
  if (rtl.scratchpad != Implementation::Model) {
    require(p.scratchpad.bankBytes == sizeof(std::uint32_t), placeOf, "rtl.scratchpad",
            rtl.scratchpad, "scratchpad.bank_bytes", std::to_string(p.scratchpad.bankBytes),
            "4: a bank of the block has words of 32 bits");
    require(p.verify || !standsAgainst("verify", "rtl.scratchpad"), placeOf, "rtl.scratchpad",
            rtl.scratchpad, "verify", "false",
            "true: the block holds data, and loads are compared");
    p.verify = true;
  }
  if (rtl.lock != Implementation::Model && p.crossbar.atomics->needs.locks)
    require(p.lock.unit.winner == LockWinner::Lowest, placeOf, "rtl.lock", rtl.lock, "lock.winner",
            choiceName(p.lock.unit.winner), "lowest: so the block decides");
}

RtlParts::RtlParts(std::string sm, const Configuration& configuration, const ClockDomain& domain,
                   Connector& connector, rtl::Waves* waves)
    : sm_(std::move(sm)),
      configuration_(configuration),
      domain_(domain),
      connector_(connector),
      waves_(waves),
      now_([&domain] { return domain.now(); }) {}

/// Makes a block and, if waves are written, traces its signals.
template <class Make>
auto RtlParts::make(const char* path, Implementation how, Make make) const {
  try {
    auto block = make();
    if (waves_ != nullptr) block->trace(*waves_, sm_ + std::strchr(path, '.'));
    return block;
  } catch (const BadInput& error) {
    refuse(configuration_.place(path), "{} = {}: {}", path, choiceName(how), error.what());
  }
}

std::shared_ptr<const indexing::Indexer> RtlParts::indexer(
    std::shared_ptr<const indexing::Indexer> model) const {
  const Implementation how = configuration_.parameters().rtl.indexer;
  if (how == Implementation::Model) return model;
  auto block = make("rtl.indexer", how, [&] { return connector_.mapBlock(*model); });
  if (how == Implementation::Rtl)
    return std::make_shared<rtl::BlockIndexer>(std::move(model), std::move(block), now_);
  return std::make_shared<rtl::LockstepIndexer>(std::move(model), std::move(block), now_);
}

std::shared_ptr<Arbiter> RtlParts::arbiter(std::uint32_t banks) const {
  const PlatformParameters& p = configuration_.parameters();
  if (p.rtl.crossbar == Implementation::Model) return nullptr;
  auto block = make("rtl.crossbar", p.rtl.crossbar, [&] { return connector_.passBlock(banks); });
  return std::make_shared<rtl::BlockArbiter>(std::move(block), p.rtl.crossbar, p.crossbar.rowWords,
                                             now_);
}

std::unique_ptr<Scratchpad> RtlParts::scratchpad(const Scratchpad::Parameters& parameters) const {
  const Implementation how = configuration_.parameters().rtl.scratchpad;
  if (how == Implementation::Model)
    return std::make_unique<Scratchpad>("scratchpad", domain_.clock(), parameters);
  auto block = make("rtl.scratchpad", how, [&] {
    return connector_.scratchpadBlock(parameters.shape.banks, parameters.rows);
  });
  return std::make_unique<rtl::BlockScratchpad>("scratchpad", domain_.clock(), parameters,
                                                std::move(block), how, now_);
}

std::unique_ptr<LockUnit> RtlParts::lockUnit(const LockUnit::Parameters& parameters,
                                             std::shared_ptr<const indexing::Indexer> locks,
                                             Probe* probe) const {
  const Implementation how = configuration_.parameters().rtl.lock;
  if (how == Implementation::Model)
    return std::make_unique<LockUnit>("locks", domain_.clock(), parameters, std::move(locks),
                                      probe);
  auto block = make("rtl.lock", how, [&] { return connector_.lockBlock(locks->shape().banks); });
  return std::make_unique<rtl::BlockLockUnit>("locks", domain_.clock(), parameters,
                                              std::move(locks), probe, std::move(block), how);
}

std::unique_ptr<rtl::BlockMemory> RtlParts::blockMemory(
    const rtl::BlockMemory::Parameters& parameters) const {
  std::unique_ptr<rtl::BlockMemory> memory;
  try {
    memory = connector_.blockMemory(parameters);
  } catch (const BadInput& error) {
    throw InputError(configuration_.place("scratchpad.banks"), error.what());
  }
  if (memory == nullptr) return nullptr;
  const PlatformParameters& p = configuration_.parameters();
  const auto cannot = [&](const char* path, const std::string& value, const char* expected) {
    refuse(configuration_.place(path),
           "{} = {} with a memory of RTL in the place of crossbar and scratchpad; expected {}",
           path, value, expected);
  };
  const std::pair<const char*, Implementation> replaced[] = {{"rtl.crossbar", p.rtl.crossbar},
                                                             {"rtl.scratchpad", p.rtl.scratchpad},
                                                             {"rtl.lock", p.rtl.lock}};
  for (const auto& [path, how] : replaced) {
    if (how != Implementation::Model) cannot(path, choiceName(how), "model: it is not there");
  }
  if (!p.crossbar.conflictPolicy->needs.allowsBlock)
    cannot("scratchpad.conflict_policy", choiceName(p.crossbar.conflictPolicy),
           "serialize: the block serves every lane");
  if (p.crossbar.atomics->needs.locks)
    cannot("scratchpad.atomics", choiceName(p.crossbar.atomics), "load: there is no lock unit");
  if (!p.scratchpad.conflictFree.empty())
    cannot("scratchpad.conflict_free", '"' + p.scratchpad.conflictFree + '"',
           "none: the block says how long an access takes");
  if (waves_ != nullptr) memory->trace(*waves_, sm_ + ".memory");
  return memory;
}

}  // namespace fermata::platforms
