#include <fermata/platforms/compose/cache_checks.h>

#include <fmt/format.h>

#include <utility>

namespace fermata::platforms {

namespace {

CacheShape l2Shape(const PlatformParameters& p) {
  CacheShape shape = p.l2.shape;
  shape.lineBytes = p.l1.shape.lineBytes;
  return shape;
}

/// Builds a mapping; one that cannot be is refused where it was given.
template <class Build>
auto built(const char* path, const std::string& text, const PlaceOf& placeOf, Build build) {
  try {
    return build();
  } catch (const indexing::IndexingError& error) {
    throw InputError(placeOf(path), fmt::format("{} = \"{}\": {}", path, text, error.what()));
  }
}

void checkShape(const char* path, const CacheShape& shape, const PlaceOf& placeOf) {
  const std::uint64_t set = std::uint64_t{shape.lineBytes} * shape.ways;
  if (shape.bytes % set == 0) return;
  throw InputError(placeOf(path),
                   fmt::format("{} = {} is no whole number of sets of {} lines of {} bytes; "
                               "expected a multiple of {}",
                               path, shape.bytes, shape.ways, shape.lineBytes, set));
}

void checkBanks(const char* path, std::uint32_t banks, const PlaceOf& placeOf) {
  if (banks <= kMostCacheBanks) return;
  throw InputError(placeOf(path),
                   fmt::format("{} has {} banks; expected 1 to {} in a crossbar of 32 lanes", path,
                               banks, kMostCacheBanks));
}

}  // namespace

void applySplit(PlatformParameters& p) {
  if (p.l1.split == ArraySplit::Free) return;
  const std::uint32_t kilobyte = 1024;
  const std::uint32_t scratchpad = p.l1.split == ArraySplit::Scratchpad48   ? 48
                                   : p.l1.split == ArraySplit::Scratchpad16 ? 16
                                                                            : 32;
  p.scratchpad.bytes = scratchpad * kilobyte;
  p.l1.shape.bytes = (64 - scratchpad) * kilobyte;
}

SetIndex l1Sets(const PlatformParameters& p) {
  return {p.l1.shape, p.l1.sets};
}

SetIndex l2Sets(const PlatformParameters& p) {
  return {l2Shape(p), p.l2.sets};
}

std::shared_ptr<const indexing::Indexer> l1Banks(const PlatformParameters& p) {
  return indexing::build(p.l1.indexer, indexing::Shape{32, p.l1.shape.bytes / 4});
}

void checkInstructionCache(const InstructionCache::Parameters& p, const PlaceOf& placeOf) {
  if (p.bytes == 0) return;
  const std::uint32_t set = p.lineBytes * p.ways;
  if (p.bytes % set == 0 && p.lineBytes >= p.instructionBytes) return;
  throw InputError(
      placeOf("instruction.bytes"),
      fmt::format("instruction.bytes = {} is no whole number of sets of {} lines of {} "
                  "bytes of {}-byte instructions; expected a multiple of {}",
                  p.bytes, p.ways, p.lineBytes, p.instructionBytes, set));
}

void checkCaches(const PlatformParameters& p, const PlaceOf& placeOf) {
  checkInstructionCache(p.core.issue.instructions, placeOf);
  if (p.globalMemory == GlobalMemory::Flat) return;
  checkShape("l1.bytes", p.l1.shape, placeOf);
  checkShape("l2.bytes", l2Shape(p), placeOf);
  built("l1.sets", p.l1.sets, placeOf, [&] { return l1Sets(p); });
  built("l2.sets", p.l2.sets, placeOf, [&] { return l2Sets(p); });
  const auto banks = built("l1.indexer", p.l1.indexer, placeOf, [&] { return l1Banks(p); });
  checkBanks("l1.indexer", banks->shape().banks, placeOf);
  checkBanks("scratchpad.indexer", p.scratchpad.banks, placeOf);
  if (p.l1.writePolicy == WritePolicy::Back)
    throw InputError(placeOf("l1.write_policy"),
                     "l1.write_policy = \"back\"; expected evict or through: the L1 keeps nothing "
                     "that memory has not");
  if (p.l2.writePolicy == WritePolicy::Evict)
    throw InputError(placeOf("l2.write_policy"),
                     "l2.write_policy = \"evict\"; expected back or through");
  if (p.l1.divergence == Divergence::Wait && p.l1.conflictPolicy()->leavesLanes())
    throw InputError(placeOf("l1.conflict_policy"),
                     fmt::format("l1.conflict_policy = \"{}\" replays lanes, l1.divergence = "
                                 "\"wait\" does not; expected l1.divergence = \"replay\"",
                                 choiceName(p.l1.conflictPolicy)));
  if (const char* wrong = DramMap::wrong(p.dram))
    throw InputError(placeOf("dram.channels"), fmt::format("dram: {}", wrong));
}

}  // namespace fermata::platforms
