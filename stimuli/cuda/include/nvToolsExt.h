// Marks for a profiler; they do nothing here.
#pragma once
#define NVTOOLSEXT_H_  // programs test whether it was included

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 2
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomain* nvtxDomainHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define FERMATA_MARK(name, Type) \
  static inline void name(Type what) { (void)what; }
#define FERMATA_RANGE(Id, name, Type) \
  static inline Id name(Type what) { return (void)what, 0; }
FERMATA_MARK(nvtxMarkA, const char*)
FERMATA_MARK(nvtxMark, const char*)
FERMATA_MARK(nvtxMarkEx, const nvtxEventAttributes_t*)
FERMATA_RANGE(nvtxRangeId_t, nvtxRangeStartA, const char*)
FERMATA_RANGE(nvtxRangeId_t, nvtxRangeStart, const char*)
FERMATA_RANGE(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t*)
FERMATA_MARK(nvtxRangeEnd, nvtxRangeId_t)
FERMATA_RANGE(int, nvtxRangePushA, const char*)
FERMATA_RANGE(int, nvtxRangePush, const char*)
FERMATA_RANGE(int, nvtxRangePushEx, const nvtxEventAttributes_t*)
#undef FERMATA_MARK
#undef FERMATA_RANGE
static inline int nvtxRangePop(void) { return 0; }
static inline void nvtxNameOsThreadA(uint32_t thread, const char* name) {
  (void)thread, (void)name;
}
