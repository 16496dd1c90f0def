// Clusters of blocks: where a block is in its cluster, the cluster's barrier, and the shared memory
// of the cluster's other blocks.
#pragma once

#include "device_words.h"

#define FERMATA_CLUSTER_WORD(name, reg)          \
  FERMATA_DEVICE unsigned name() {               \
    unsigned value;                              \
    asm("mov.u32 %0, %%" reg ";" : "=r"(value)); \
    return value;                                \
  }
FERMATA_CLUSTER_WORD(__clusterRelativeBlockRank, "cluster_ctarank")
FERMATA_CLUSTER_WORD(__clusterSizeInBlocks, "cluster_nctarank")
#undef FERMATA_CLUSTER_WORD
#define FERMATA_CLUSTER_DIM(name, reg)                                                     \
  FERMATA_DEVICE dim3 name() {                                                             \
    unsigned x, y, z;                                                                      \
    asm("mov.u32 %0, %%" reg ".x;\n\tmov.u32 %1, %%" reg ".y;\n\tmov.u32 %2, %%" reg ".z;" \
        : "=r"(x), "=r"(y), "=r"(z));                                                      \
    return dim3(x, y, z);                                                                  \
  }
FERMATA_CLUSTER_DIM(__clusterDim, "cluster_nctaid")
FERMATA_CLUSTER_DIM(__clusterRelativeBlockIdx, "cluster_ctaid")
FERMATA_CLUSTER_DIM(__clusterGridDimInClusters, "nclusterid")
FERMATA_CLUSTER_DIM(__clusterIdx, "clusterid")
#undef FERMATA_CLUSTER_DIM

/// True if the launch, or the kernel, says the size of clusters.
FERMATA_DEVICE unsigned __clusterDimIsSpecified() {
  unsigned value;
  asm volatile(
      "{\n\t.reg .pred %%is;\n\tmov.pred %%is, %%is_explicit_cluster;\n\tselp.u32 %0, 1, 0, "
      "%%is;\n\t}"
      : "=r"(value));
  return value;
}
FERMATA_DEVICE void __cluster_barrier_arrive() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}
FERMATA_DEVICE void __cluster_barrier_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
FERMATA_DEVICE void __cluster_barrier_wait() {
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
FERMATA_DEVICE void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }
FERMATA_DEVICE unsigned __cluster_query_shared_rank(const void* address) {
  unsigned rank;
  asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
  return rank;
}
FERMATA_DEVICE unsigned __isClusterShared(const void* pointer) {
  unsigned is;
  asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(is)
      : "l"(pointer));
  return is;
}
FERMATA_DEVICE void* __cluster_map_shared_rank(const void* address, unsigned rank) {
  void* mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
  return mapped;
}
