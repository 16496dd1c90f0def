// Attributes of a device by the runtime's names.
#pragma once

enum cudaDeviceAttr {
#define FERMATA_ATTRIBUTE(name, driver_name, number) cudaDevAttr##name = number,
#include "attribute_list.inl"
};
typedef enum cudaDeviceAttr cudaDeviceAttr;
