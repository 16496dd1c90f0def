// Kernels do not launch kernels here: there is nothing of the runtime interface on the device.
#pragma once
