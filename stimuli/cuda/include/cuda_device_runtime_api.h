// Empty: cuda_runtime.h has the functions of the runtime interface that kernels may call.
#pragma once
