// What kernels may call of the runtime interface is part of cuda_runtime.h.
#pragma once
