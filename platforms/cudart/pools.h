// Memory pools. A pool retains no memory: it only counts what its blocks take.
#pragma once

#include <fermata/stimuli/cuda/include/driver_types.h>

namespace fermata::cudart {

/// Returns the pool of cudaMallocAsync.
cudaMemPool_t currentPool();
/// Destroys all pools but the default one; called when the device begins anew.
void forgetPools();

}  // namespace fermata::cudart
