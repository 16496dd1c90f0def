// Empty: kernels cannot launch kernels here, so the device has nothing of the runtime interface.
#pragma once
