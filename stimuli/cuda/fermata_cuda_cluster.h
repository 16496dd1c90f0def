// Clusters of CTAs and each other's shared memory (PTX ISA, barrier.cluster and mapa). For targets
// of 9.0.
#pragma once

#if __CUDA_ARCH__ >= 900
FERMATA_DEVICE unsigned fermataClusterRank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
FERMATA_DEVICE unsigned fermataClusterSize() {
  unsigned size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}
FERMATA_DEVICE void fermataSyncCluster() {
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
/// The address in the cluster of what lies at `shared` in the CTA of a rank.
FERMATA_DEVICE unsigned fermataAtRank(unsigned shared, unsigned rank) {
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared), "r"(rank));
  return address;
}
FERMATA_DEVICE int fermataLoadFrom(unsigned address) {
  int value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}
FERMATA_DEVICE void fermataAddAt(unsigned address, unsigned value) {
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(address), "r"(value)
               : "memory");
}
#endif
