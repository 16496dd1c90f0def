// Clusters of a launch: their size, the numbers of their CTAs, and the shared memory of other CTAs.
#pragma once

#include <array>
#include <cstdint>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {

/// Returns the CTAs of a cluster by dimension: what the launch asks for, or what the kernel's
/// .reqnctapercluster says; 1, 1, 1 without either.
Dim3 clusterOf(const Launch& launch);
/// Returns how many CTAs a cluster of the launch has.
unsigned clusterCtas(const Launch& launch);
/// Throws InputError if the launch cannot have the clusters that it or its kernel asks for.
void checkCluster(const Launch& launch);

/// Returns the place of a CTA in the grid by its number. The CTAs of a cluster have consecutive
/// numbers; without clusters, numbers rise along x, then y, then z.
Dim3 ctaIndex(const Dim3& grid, const Dim3& cluster, std::uint64_t number);

/// Makes a CTA that has just been placed a member of its cluster.
void joinCluster(Machine& machine, Cta& cta);

/// Returns the address of the same byte in the CTA with this rank. In a cluster of one it stays.
std::uint64_t addressIn(const Warp& warp, std::uint64_t address, unsigned rank);
/// Returns the shared memory of the CTA whose rank the address names; an empty window if there is
/// no such CTA, or it has exited. Precondition: namesRank(address).
Window windowOfRank(const Warp& warp, std::uint64_t address);
/// Returns the window of shared memory in which the address lies. Throws InputError if its CTA has
/// exited or is not in the cluster.
Window sharedWindowAt(const Warp& warp, const Instruction& instruction, std::int64_t lane,
                      std::uint64_t address);

}  // namespace fermata::ptx
