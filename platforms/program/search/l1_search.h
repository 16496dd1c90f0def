// fermata search --l1: what differs where the banks of an L1's data array are searched.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <fermata/platforms/program/search/search_job.h>
#include <fermata/platforms/program/workloads.h>

namespace fermata::platforms {

/// Throws InputError unless the request can be served for the banks of an L1.
void checkL1Search(const SearchRequest& request, const Configuration& configuration);

/// Leaves out what a kernel does to its own shared array. Throws InputError if nothing is left.
std::vector<SearchPair> ofHardware(std::vector<SearchPair> pairs);

/// Adds the hits of the L1 in a run of the workload, in a child process, which calls `check` behind
/// the run.
void collectHits(const SearchRequest& request, const OpenWorkload& open, std::uint64_t weight,
                 const std::function<void()>& check, SearchReport& report);

}  // namespace fermata::platforms
