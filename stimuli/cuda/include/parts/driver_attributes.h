// Attributes of a device by the driver interface's names.
#pragma once

typedef enum CUdevice_attribute_enum {
#define FERMATA_ATTRIBUTE(name, driver_name, number) CU_DEVICE_ATTRIBUTE_##driver_name = number,
#include "attribute_list.inl"
} CUdevice_attribute;
