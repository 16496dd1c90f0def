// Name, unit, range and description of the parameters of clusters. No SystemC.
#pragma once

#include <fermata/models/core/cluster_parameters.h>
#include <fermata/models/vocabulary/range.h>

namespace fermata {

template <class Visitor>
void describeClusters(ClusterParameters& p, Visitor& visit) {
  const Range cycles{0, 10000}, interval{1, 1000}, served{0, 1000};
  visit("cluster.latency", p.latency, "cycles", cycles,
        "cycles that an access to the shared memory of another CTA of the cluster takes more than "
        "one to the own; 0: no clusters, kernels with clusters are refused");
  visit("cluster.pair_latency", p.pairLatency, "cycles", cycles,
        "the same in clusters of two CTAs; 0: cluster.latency");
  visit("cluster.own_latency", p.ownLatency, "cycles", cycles,
        "cycles that a load from the own CTA's shared memory takes more if its address names the "
        "CTA's rank (mapa)");
  visit(
      "cluster.load_interval", p.interval.loads, "cycles", interval,
      "cycles that 128 bytes of loads from other CTAs of the cluster take, on a way that the SM's "
      "accesses share");
  visit("cluster.store_interval", p.interval.stores, "cycles", interval,
        "cycles that 128 bytes of stores to other CTAs of the cluster take on that way");
  visit("cluster.atomic_interval", p.interval.atomics, "cycles", interval,
        "cycles that 128 bytes of atomics on other CTAs of the cluster take on that way");
  visit("cluster.load_served", p.served.loads, "cycles", served,
        "cycles that 128 bytes of loads by other SMs take of an SM's way, one after the other");
  visit("cluster.store_served", p.served.stores, "cycles", served,
        "cycles that 128 bytes of stores by other SMs take of an SM's way");
  visit("cluster.atomic_served", p.served.atomics, "cycles", served,
        "cycles that 128 bytes of atomics by other SMs take of an SM's way");
  visit("cluster.barrier_latency", p.barrierLatency, "cycles", cycles,
        "from the last arrival at the barrier of a cluster to the next issue of a warp that waits "
        "there");
  visit(
      "cluster.release_latency", p.releaseLatency, "cycles", cycles,
      "from the issue of an arrival at the barrier of a cluster that orders earlier stores to its "
      "effect and to the next issue of its warp; 0 for relaxed arrivals");
  visit("cluster.release_interval", p.releaseInterval, "cycles", cycles,
        "cycles that this takes more for each CTA of the cluster beyond the first");
  visit("cluster.release_window", p.releaseWindow, "cycles", cycles,
        "an SM's arrivals that order stores do so in rounds: cycles from the begin of a round in "
        "which further arrivals share it; later ones share the next round");
  visit("cluster.release_round", p.releaseRound, "cycles", cycles,
        "cycles from the begin of a round to that of the next one, if arrivals wait for that");
}

}  // namespace fermata
