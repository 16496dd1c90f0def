// Clusters, and the instructions that name their CTAs: mapa, getctarank, mov of
// %is_explicit_cluster, and the mask that names the first CTA of a pair.
#include <fermata/stimuli/ptx/clusters.h>

#include <algorithm>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

Dim3 sizesOf(const std::array<std::uint32_t, 3>& sizes) {
  return {sizes[0], sizes[1], sizes[2]};
}

bool same(const Dim3& a, const Dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

std::string sizesText(const Dim3& sizes) {
  return fmt::format("{}x{}x{}", sizes.x, sizes.y, sizes.z);
}

/// True with .reqnctapercluster.
bool hasSizes(const Kernel& kernel) {
  return kernel.requiredCluster()[0] != 0;
}

/// Returns the lane's operand as an address of shared memory.
std::uint64_t sharedAddress(const Warp& warp, const Instruction& i, unsigned lane) {
  std::uint64_t address = laneValue(warp, i.a, i.wideBase, lane);
  if (i.asked == MemorySpace::Shared) return address & 0xffffffffU;
  if (spaceOfGeneric(address) != MemorySpace::Shared)
    failAtAddress(warp, i, lane, FaultKind::Other, address,
                  "address {:#x} is not in shared memory; expected one of the cluster", address);
  return address - kSharedWindow;
}

void executeMapAddress(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint64_t base = i.asked == MemorySpace::Shared ? 0 : kSharedWindow;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t rank = rowOf<std::uint32_t>(warp, i.b)[lane];
    const unsigned ctas = warp.machine->clusterCtas;
    if (rank >= ctas)
      failAt(warp, i, lane, "CTA {} of a cluster of {}; expected a rank below {}", rank, ctas,
             ctas);
    setLane(warp, i.d, i.wideData, lane,
            addressIn(warp, sharedAddress(warp, i, lane), rank) + base);
  }
}

void executeRankOf(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t address = sharedAddress(warp, i, lane);
    rowOf<std::uint32_t>(warp, i.d)[lane] =
        namesRank(address) ? rankNamed(address) : warp.cta->rank;
  }
}

// On a GPU an address of shared memory has the rank of its CTA in the bits from 24 on. Kernels
// clear the lowest of them to name the same byte in the first CTA of the pair. Here the own CTA has
// no rank, so the mask says it all. Compilers clear low bits, too, which they know to be zero.
constexpr std::uint32_t kPairBit = 0x01000000U, kLowBits = 0xffU;

bool namesFirstOfPair(std::uint64_t mask) {
  return (static_cast<std::uint32_t>(mask) | kLowBits) == ~kPairBit;
}

void executePairMask(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto* const a = rowOf<std::uint32_t>(warp, i.a);
  const auto* const b = rowOf<std::uint32_t>(warp, i.b);
  auto* const result = rowOf<std::uint32_t>(warp, i.d);
  const Machine& machine = *warp.machine;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t address = a[lane] & (b[lane] | kPairBit);
    const bool ranked = namesRank(address);
    const unsigned rank = ranked ? rankNamed(address) : warp.cta->rank;
    const bool shared = ranked || address < machine.sharedBytes;
    result[lane] = machine.clusterCtas > 1 && shared
                       ? static_cast<std::uint32_t>(addressIn(warp, address, rank & ~1U))
                       : address & ~kPairBit;
  }
}

void executeIsExplicit(Warp& warp, const Instruction& i, LaneMask mask) {
  writePredicate(warp, i.pd, warp.machine->explicitCluster ? kAllLanes : 0, mask);
}

}  // namespace

Dim3 clusterOf(const Launch& launch) {
  if (launch.cluster) return *launch.cluster;
  return hasSizes(*launch.kernel) ? sizesOf(launch.kernel->requiredCluster()) : Dim3{};
}

unsigned clusterCtas(const Launch& launch) {
  return static_cast<unsigned>(clusterOf(launch).count());
}

void checkCluster(const Launch& launch) {
  const Kernel& kernel = *launch.kernel;
  const auto refuseCluster = [&](const auto&... text) {
    refuse("kernel '{}': {}", kernel.name(), message(text...));
  };
  const Dim3 cluster = clusterOf(launch);
  const Dim3& grid = launch.grid;
  if (kernel.needsCluster() && !launch.cluster && !hasSizes(kernel))
    refuseCluster("a launch without clusters; .explicitcluster expects their size");
  if (hasSizes(kernel) && !same(cluster, sizesOf(kernel.requiredCluster())))
    refuseCluster("clusters of {} CTAs; .reqnctapercluster expects {}", sizesText(cluster),
                  sizesText(sizesOf(kernel.requiredCluster())));
  const bool sane = std::max({cluster.x, cluster.y, cluster.z}) <= kMostClusterCtas;
  if (!sane || cluster.count() == 0 || cluster.count() > kMostClusterCtas)
    refuseCluster("clusters of {} CTAs; expected 1 to {} in all", sizesText(cluster),
                  kMostClusterCtas);
  if (kernel.maximumClusterRank() != 0 && cluster.count() > kernel.maximumClusterRank())
    refuseCluster("clusters of {} CTAs; .maxclusterrank allows {}", cluster.count(),
                  kernel.maximumClusterRank());
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    refuseCluster("a grid of {} CTAs in clusters of {}; expected a multiple in each dimension",
                  sizesText(grid), sizesText(cluster));
  const std::uint64_t shared =
      std::uint64_t{kernel.staticSharedBytes()} + launch.dynamicSharedBytes;
  if (cluster.count() > 1 && shared > kClusterStride)
    refuseCluster("{} bytes of shared memory in a cluster; expected at most {}", shared,
                  kClusterStride);
}

Dim3 ctaIndex(const Dim3& grid, const Dim3& cluster, std::uint64_t number) {
  const std::uint64_t size = cluster.count(), which = number / size;
  const auto rank = static_cast<std::uint32_t>(number % size);
  const std::uint32_t across = grid.x / cluster.x, down = grid.y / cluster.y;
  const auto x = static_cast<std::uint32_t>(which % across);
  const auto y = static_cast<std::uint32_t>(which / across % down);
  const auto z = static_cast<std::uint32_t>(which / across / down);
  return {x * cluster.x + rank % cluster.x, y * cluster.y + rank / cluster.x % cluster.y,
          z * cluster.z + rank / cluster.x / cluster.y};
}

void joinCluster(Machine& machine, Cta& cta) {
  cta.exitedWarps = 0;
  cta.cluster.reset();
  cta.rank = 0;
  if (machine.clusterCtas == 1) return;
  cta.rank = static_cast<unsigned>(cta.number % machine.clusterCtas);
  if (cta.rank == 0) machine.filling = std::make_shared<CtaCluster>();
  cta.cluster = machine.filling;
  cta.cluster->ctas[cta.rank] = &cta;
}

std::uint64_t addressIn(const Warp& warp, std::uint64_t address, unsigned rank) {
  if (warp.machine->clusterCtas == 1) return address;
  return kClusterBase + rank * kClusterStride + offsetIn(address);
}

Window windowOfRank(const Warp& warp, std::uint64_t address) {
  const CtaCluster* const cluster = warp.cta->cluster.get();
  const unsigned rank = rankNamed(address);
  const Cta* const cta = cluster == nullptr ? nullptr : cluster->ctas[rank];
  // The place of a CTA that has exited may hold one of another cluster.
  if (cta == nullptr || !cta->live || cta->cluster.get() != cluster ||
      cta->exitedWarps == warp.machine->warpsPerCta)
    return {};
  return {cta->shared.get(), cta->sharedWritten.get(), kClusterBase + rank * kClusterStride,
          warp.machine->sharedBytes, false};
}

Window sharedWindowAt(const Warp& warp, const Instruction& instruction, std::int64_t lane,
                      std::uint64_t address) {
  if (!namesRank(address)) return sharedWindow(warp);
  const unsigned rank = rankNamed(address), ctas = warp.machine->clusterCtas;
  if (rank >= ctas)
    failAtAddress(warp, instruction, lane, FaultKind::Address, address,
                  "shared address {:#x} names CTA {} of a cluster of {}", address, rank, ctas);
  const Window window = windowOfRank(warp, address);
  if (window.data == nullptr)
    failAtAddress(warp, instruction, lane, FaultKind::Address, address,
                  "shared address {:#x} names CTA {} of the cluster, which has exited; expected a "
                  "barrier of the cluster before its end",
                  address, rank);
  return window;
}

void decodeMapAddress(Decoding& d) {
  const bool shared = d.take("shared::cluster") || d.take("shared");
  const Type type = d.takeType();
  if (type != Type::U32 && type != Type::U64) d.unsupported();
  d.i.wideBase = d.i.wideData = type == Type::U64;
  d.i.asked = shared ? MemorySpace::Shared : MemorySpace::Generic;
  d.finish(&executeMapAddress, {type, type, Type::U32});
}

void decodeRankOf(Decoding& d) {
  const bool shared = d.take("shared::cluster") || d.take("shared");
  const Type type = d.takeType();
  if (type != Type::U32 && type != Type::U64) d.unsupported();
  d.i.wideBase = type == Type::U64;
  d.i.asked = shared ? MemorySpace::Shared : MemorySpace::Generic;
  d.finish(&executeRankOf, {Type::U32, type});
}

void decodeAnd(Decoding& d) {
  const Type type = d.takeType();
  const bool masks = type == Type::B32 && d.operandCount() == 3 &&
                     d.operand(2).kind == Operand::Kind::Integer &&
                     namesFirstOfPair(d.operand(2).integer);
  if (!masks) return decodeRegular(d, type);
  d.finish(&executePairMask, {type, type, type});
}

void moveExplicitCluster(Decoding& d) {
  d.i.handler = &executeIsExplicit;
  d.i.pd = d.predicateDestination(d.operand(0));
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
