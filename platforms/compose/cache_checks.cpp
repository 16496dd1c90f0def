#include <fermata/platforms/compose/cache_checks.h>

#include <fmt/format.h>

#include <fermata/models/memory/dram_map.h>
#include <fermata/platforms/compose/carveouts.h>
#include <fermata/platforms/compose/chip_share.h>
#include <fermata/platforms/compose/field.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

/// Returns "path = value".
std::string shown(const PlatformParameters& p, const std::string& path) {
  PlatformParameters copy = p;
  const std::vector<Field> fields = fieldsOf(copy);
  return fmt::format("{} = {}", path, findField(fields, path)->tomlValue());
}

/// Builds the mapping `text`, given by the first of `paths`. Throws InputError at the place of
/// `paths` if the mapping is impossible.
template <class Build>
auto built(const Paths& paths, const std::string& text, const PlaceOf& placeOf, Build build) {
  try {
    return build();
  } catch (const indexing::IndexingError& error) {
    refuse(placeOf(paths), "{} = \"{}\": {}", paths.front(), text, error.what());
  }
}

void checkShape(const Paths& paths, const CacheShape& shape, const PlaceOf& placeOf) {
  const std::uint64_t set = std::uint64_t{shape.lineBytes} * shape.ways;
  if (shape.bytes % set == 0) return;
  refuse(placeOf(paths),
         "{} = {} is no whole number of sets of {} lines of {} bytes; expected a multiple of {}",
         paths.front(), shape.bytes, shape.ways, shape.lineBytes, set);
}

void checkBanks(const char* path, std::uint32_t banks, const PlaceOf& placeOf) {
  if (banks <= kMostCacheBanks) return;
  refuse(placeOf({path}), "{} has {} banks; expected 1 to {} in a crossbar of 32 lanes", path,
         banks, kMostCacheBanks);
}

void checkInstructionCache(const PlatformParameters& platform, const PlaceOf& placeOf) {
  const InstructionCacheParameters& p = platform.core.issue.instructions;
  if (p.bytes == 0) return;
  const Paths paths{"instruction.bytes", "instruction.ways", "instruction.line_bytes",
                    "instruction.instruction_bytes"};
  if (p.lineBytes < p.instructionBytes)
    refuse(placeOf({paths[2], paths[3]}),
           "{} = {}, an instruction has {} bytes; expected as many or more", paths[2], p.lineBytes,
           p.instructionBytes);
  checkShape(paths, {p.bytes, p.lineBytes, p.ways}, placeOf);
  if (platform.globalMemory == GlobalMemory::Caches && p.lineBytes > platform.l1.shape.lineBytes)
    refuse(placeOf({paths[2], "l1.line_bytes"}),
           "{} = {}, a line of the L2 has l1.line_bytes = {}; expected as many or fewer", paths[2],
           p.lineBytes, platform.l1.shape.lineBytes);
}

/// Throws InputError unless the scratchpad's array can serve the L1.
void checkArray(const PlatformParameters& p, std::uint32_t banks, const PlaceOf& placeOf) {
  if (p.l1.array == L1Array::Own) return;
  const ScratchpadParameters& s = p.scratchpad;
  if (banks != s.banks || s.bankBytes != 4)
    refuse(placeOf({"l1.indexer", "scratchpad.indexer", "l1.array"}),
           "l1.indexer has {} banks of 4 bytes, the scratchpad {} of {}; expected the same in one "
           "array, or l1.array = \"own\"",
           banks, s.banks, s.bankBytes);
  for (const auto& [path, by] :
       {std::pair("rtl.crossbar", p.rtl.crossbar), std::pair("rtl.scratchpad", p.rtl.scratchpad)}) {
    if (by != rtl::Implementation::Model)
      refuse(placeOf({path, "l1.array"}),
             "{} = \"{}\" with l1.array = \"scratchpad\": RTL serves no hits of the L1; expected "
             "model, or l1.array = \"own\"",
             path, choiceName(by));
  }
}

void checkPolicies(const PlatformParameters& p, const PlaceOf& placeOf) {
  if (p.l1.writePolicy == WritePolicy::Back)
    refuse(placeOf({"l1.write_policy"}),
           "l1.write_policy = \"back\"; expected evict, through or allocate: the L1 keeps nothing "
           "that memory has not");
  if (p.l1.writePolicy == WritePolicy::Allocate && p.l1.fetch == Fetch::Line)
    refuse(placeOf({"l1.write_policy", "l1.fetch"}),
           "l1.write_policy = \"allocate\" with l1.fetch = \"line\": a line would hold some bytes "
           "alone; expected l1.fetch = \"sectors\", or evict or through");
  if (p.l1.divergence == Divergence::Wait && p.l1.conflictPolicy->needs.leavesLanes)
    refuse(placeOf({"l1.conflict_policy", "l1.divergence"}),
           "l1.conflict_policy = \"{}\" replays lanes, l1.divergence = \"wait\" does not; expected "
           "l1.divergence = \"replay\"",
           choiceName(p.l1.conflictPolicy));
}

/// Returns the carve-outs of the array. Throws InputError if their text is wrong.
Carveouts carveoutsOf(const PlatformParameters& p, const PlaceOf& placeOf) {
  return built({"l1.carveouts"}, p.l1.carveouts, placeOf,
               [&] { return Carveouts(p.l1.carveouts); });
}

void checkCarveouts(const PlatformParameters& p, const PlaceOf& placeOf) {
  const Carveouts carveouts = carveoutsOf(p, placeOf);
  if (carveouts.none()) return;
  if (p.scratchpad.bytes > carveouts.most())
    refuse(placeOf({"scratchpad.bytes", "l1.carveouts"}),
           "scratchpad.bytes = {}, but the largest of l1.carveouts has {}; expected at most as "
           "many, or l1.carveouts = \"\"",
           p.scratchpad.bytes, carveouts.most());
  for (const std::uint32_t bytes : carveouts.bytes()) {
    if (waysBeside(bytes, p) != 0) continue;
    refuse(placeOf({"l1.carveouts", "l1.array_bytes", "l1.ways", "l1.line_bytes"}),
           "l1.array_bytes = {} less {} KB is no whole number of lines for {} sets of lines of {} "
           "bytes; expected a multiple of {}",
           p.l1.arrayBytes, bytes / 1024, p.l1.shape.sets(), p.l1.shape.lineBytes,
           p.l1.shape.sets() * p.l1.shape.lineBytes);
  }
}

void checkL1(const PlatformParameters& p, const PlaceOf& placeOf) {
  checkCarveouts(p, placeOf);
  checkShape({"l1.bytes", "l1.ways", "l1.line_bytes", "l1.split"}, p.l1.shape, placeOf);
  built({"l1.sets", "l1.bytes", "l1.ways", "l1.line_bytes", "l1.split"}, p.l1.sets, placeOf,
        [&] { return l1Sets(p); });
  const auto tags = built({"l1.tags", "l1.tag_arrays", "l1.line_bytes"}, p.l1.tags, placeOf,
                          [&] { return l1Tags(p); });
  if (tags != nullptr && tags->shape().banks != p.l1.tagArrays)
    refuse(placeOf({"l1.tags", "l1.tag_arrays"}),
           "l1.tags maps lines onto {} tag arrays, l1.tag_arrays = {}; expected the same",
           tags->shape().banks, p.l1.tagArrays);
  const auto banks = built({"l1.indexer", "l1.bytes", "l1.split"}, p.l1.indexer, placeOf,
                           [&] { return l1Banks(p); });
  checkBanks("l1.indexer", banks->shape().banks, placeOf);
  checkBanks("scratchpad.indexer", p.scratchpad.banks, placeOf);
  checkArray(p, banks->shape().banks, placeOf);
  checkPolicies(p, placeOf);
}

/// Throws InputError unless each slice of the L2 has the same share of everything.
void checkShares(const PlatformParameters& p, const PlaceOf& placeOf) {
  const std::uint32_t slices = p.l2.slices;
  const std::uint64_t set = std::uint64_t{p.l1.shape.lineBytes} * p.l2.shape.ways;
  if (slices != 1 && p.l2.shape.bytes % (set * slices) != 0)
    refuse(placeOf({"l2.bytes", "l2.slices", "l2.ways", "l1.line_bytes"}),
           "l2.bytes = {} is no whole number of sets of {} lines of {} bytes in each of {} slices; "
           "expected a multiple of {}",
           p.l2.shape.bytes, p.l2.shape.ways, p.l1.shape.lineBytes, slices, set * slices);
  for (const auto& [path, value] :
       {std::pair("l2.mshrs", p.l2.mshrs), std::pair("l2.input", p.l2.input),
        std::pair("l2.queue", p.l2.queue)}) {
    if (value % slices != 0)
      refuse(placeOf({path, "l2.slices"}),
             "{} = {} does not divide among l2.slices = {}; expected a multiple of {}", path, value,
             slices, slices);
  }
}

void checkL2(const PlatformParameters& p, const PlaceOf& placeOf) {
  checkShares(p, placeOf);
  checkShape({"l2.bytes", "l2.ways", "l1.line_bytes"}, l2Slice(p).shape, placeOf);
  constexpr std::uint32_t mostBytes = sizeof(LineRequest::bytes) * 8;  // a bit for each
  if (p.l2.addsBytes && p.l1.shape.lineBytes > mostBytes)
    refuse(placeOf({"l2.adds_bytes", "l1.line_bytes"}),
           "l2.adds_bytes = true with l1.line_bytes = {}; expected lines of {} bytes or fewer, or "
           "l2.adds_bytes = false",
           p.l1.shape.lineBytes, mostBytes);
  const SliceMap slices =
      built({"l2.slice_indexer", "l2.slices", "l2.slice_bytes", "l1.line_bytes"}, p.l2.sliceIndexer,
            placeOf, [&] { return l2Slices(p); });
  built({"l2.sets", "l2.bytes", "l2.ways", "l2.slices", "l1.line_bytes"}, p.l2.sets, placeOf,
        [&] { return l2Sets(p, slices); });
}

void checkDram(const PlatformParameters& p, const PlaceOf& placeOf) {
  const auto wrong = contradiction(p.dram);
  if (!wrong) {
    built({"dram.channel_indexer", "dram.channels", "dram.channel_bytes"}, p.dram.channelIndexer,
          placeOf, [&] { return DramMap(p.dram); });
    return;
  }
  Paths paths{wrong->parameter};
  std::string text = shown(p, paths.front());
  for (const char* other : wrong->with) {
    paths.push_back(other);
    text += fmt::format("{} {}", paths.size() == 2 ? " with" : " and", shown(p, paths.back()));
  }
  refuse(placeOf(paths), "{}; expected {}", text, wrong->expected);
}

/// Gives the L1 the bytes that the largest carve-out leaves.
void applyCarveouts(PlatformParameters& p, const PlaceOf& placeOf,
                    const StandsAgainst& standsAgainst) {
  const Paths paths{"l1.carveouts", "l1.array_bytes", "l1.split"};
  if (p.l1.split != ArraySplit::Free)
    refuse(placeOf({paths[0], paths[2]}),
           "l1.carveouts = \"{}\" with l1.split = \"{}\"; expected one of them, l1.split = "
           "\"free\" or l1.carveouts = \"\"",
           p.l1.carveouts, choiceName(p.l1.split));
  const Carveouts carveouts = carveoutsOf(p, placeOf);
  if (carveouts.none() || carveouts.most() >= p.l1.arrayBytes)
    refuse(placeOf({paths[0], paths[1]}),
           "l1.carveouts = \"{}\" with l1.array_bytes = {}; expected an array larger than the "
           "largest carve-out",
           p.l1.carveouts, p.l1.arrayBytes);
  const std::uint32_t rest = p.l1.arrayBytes - carveouts.most();
  if (p.l1.shape.bytes != rest && standsAgainst("l1.bytes", paths[0]) &&
      standsAgainst("l1.bytes", paths[1]))
    refuse(placeOf({"l1.bytes", paths[0], paths[1]}),
           "l1.bytes = {}, but the largest of l1.carveouts leaves {} of l1.array_bytes; expected "
           "the same, or l1.carveouts = \"\"",
           p.l1.shape.bytes, rest);
  p.l1.shape.bytes = rest;
}

/// Throws InputError if something from outside could reach an SM within an epoch.
void checkEpoch(const PlatformParameters& p, const PlaceOf& placeOf) {
  if (p.epoch <= p.interconnect.latency) return;
  refuse(placeOf({"chip.epoch", "interconnect.latency"}),
         "chip.epoch = {} with interconnect.latency = {}: memory reaches an SM within the epoch; "
         "expected {} or less",
         p.epoch, p.interconnect.latency, p.interconnect.latency);
}

}  // namespace

void applySplit(PlatformParameters& p, const PlaceOf& placeOf, const StandsAgainst& standsAgainst) {
  if (!hasL1(p.globalMemory)) return;
  if (p.l1.array == L1Array::Scratchpad) p.l1.conflictPolicy = p.crossbar.conflictPolicy;
  if (!p.l1.carveouts.empty()) return applyCarveouts(p, placeOf, standsAgainst);
  if (p.l1.split == ArraySplit::Free) return;
  const std::uint32_t kilobyte = 1024;
  const std::uint32_t scratchpad = p.l1.split == ArraySplit::Scratchpad48   ? 48
                                   : p.l1.split == ArraySplit::Scratchpad16 ? 16
                                                                            : 32;
  const auto give = [&](const char* path, std::uint32_t& bytes, std::uint32_t share) {
    if (bytes != share && standsAgainst(path, "l1.split"))
      refuse(
          placeOf({path, "l1.split"}),
          "{} = {}, but l1.split = \"{}\" makes it {}; expected the same, or l1.split = \"free\"",
          path, bytes, choiceName(p.l1.split), share);
    bytes = share;
  };
  give("scratchpad.bytes", p.scratchpad.bytes, scratchpad * kilobyte);
  give("l1.bytes", p.l1.shape.bytes, (64 - scratchpad) * kilobyte);
}

SetIndex l1Sets(const PlatformParameters& p) {
  return {p.l1.shape, p.l1.sets};
}

L2Cache::Parameters l2Slice(const PlatformParameters& p) {
  L2Cache::Parameters slice = p.l2;
  slice.shape.lineBytes = p.l1.shape.lineBytes;
  slice.shape.bytes /= p.l2.slices;
  slice.mshrs /= p.l2.slices;
  slice.input /= p.l2.slices;
  slice.queue /= p.l2.slices;
  slice.policyValues = p.policyValues;
  slice.verify = p.verify;
  return slice;
}

SliceMap l2Slices(const PlatformParameters& p) {
  return {p.l2.slices, p.l1.shape.lineBytes, p.l2.sliceIndexer, p.l2.sliceBytes};
}

SetIndex l2Sets(const PlatformParameters& p, const SliceMap& slices) {
  return {l2Slice(p).shape, p.l2.sets, slices};
}

std::uint32_t largestL1(const PlatformParameters& p) {
  return p.l1.carveouts.empty() ? p.l1.shape.bytes : p.l1.arrayBytes;
}

std::shared_ptr<const indexing::Indexer> l1Banks(const PlatformParameters& p) {
  return indexing::build(p.l1.indexer, indexing::Shape{32, largestL1(p) / 4});
}

std::shared_ptr<const indexing::Indexer> l1Tags(const PlatformParameters& p) {
  if (p.l1.tags.empty()) return nullptr;
  const std::uint64_t lines = (std::uint64_t{1} << 32) / p.l1.shape.lineBytes;
  return indexing::build(p.l1.tags, {p.l1.tagArrays, static_cast<std::uint32_t>(lines)});
}

void checkCaches(const PlatformParameters& p, const PlaceOf& placeOf) {
  checkInstructionCache(p, placeOf);
  if (hasL1(p.globalMemory)) checkL1(p, placeOf);
  if (isFlat(p.globalMemory)) return;
  if (p.smsOfChip != 0 && p.sms > p.smsOfChip)
    refuse(placeOf({"chip.sms", "chip.of"}),
           "chip.sms = {}, chip.of = {}; expected at most as many", p.sms, p.smsOfChip);
  checkEpoch(p, placeOf);
  checkDram(p, placeOf);
  if (p.globalMemory == GlobalMemory::Dram) return;
  checkL2(shareOf(p), placeOf);
  if (p.l2.writePolicy != WritePolicy::Back && p.l2.writePolicy != WritePolicy::Through)
    refuse(placeOf({"l2.write_policy"}), "l2.write_policy = \"{}\"; expected back or through",
           choiceName(p.l2.writePolicy));
}

}  // namespace fermata::platforms
