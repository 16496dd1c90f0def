// Marks for a profiler; they do nothing here.
#pragma once
#define NVTOOLSEXT_H_  // programs test whether it was included

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 2
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomain* nvtxDomainHandle_t;
typedef struct nvtxString* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6,
} nvtxPayloadType_t;
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
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define FERMATA_MARK(name, Type) \
  static inline void name(Type what) { (void)what; }
#define FERMATA_RANGE(Id, name, Type) \
  static inline Id name(Type what) { return (void)what, (Id)0; }
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
FERMATA_RANGE(nvtxDomainHandle_t, nvtxDomainCreateA, const char*)
FERMATA_RANGE(nvtxDomainHandle_t, nvtxDomainCreateW, const wchar_t*)
FERMATA_MARK(nvtxDomainDestroy, nvtxDomainHandle_t)
FERMATA_RANGE(int, nvtxDomainRangePop, nvtxDomainHandle_t)
#undef FERMATA_MARK
#undef FERMATA_RANGE

#define FERMATA_IN_DOMAIN(Result, name, Type, answer)               \
  static inline Result name(nvtxDomainHandle_t domain, Type what) { \
    (void)domain, (void)what;                                       \
    answer;                                                         \
  }
FERMATA_IN_DOMAIN(void, nvtxDomainMarkEx, const nvtxEventAttributes_t*, )
FERMATA_IN_DOMAIN(int, nvtxDomainRangePushEx, const nvtxEventAttributes_t*, return 0)
FERMATA_IN_DOMAIN(nvtxRangeId_t, nvtxDomainRangeStartEx, const nvtxEventAttributes_t*, return 0)
FERMATA_IN_DOMAIN(void, nvtxDomainRangeEnd, nvtxRangeId_t, )
FERMATA_IN_DOMAIN(nvtxStringHandle_t, nvtxDomainRegisterStringA, const char*, return NULL)
FERMATA_IN_DOMAIN(nvtxStringHandle_t, nvtxDomainRegisterStringW, const wchar_t*, return NULL)
#undef FERMATA_IN_DOMAIN
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                                           const char* name) {
  (void)domain, (void)category, (void)name;
}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category,
                                           const wchar_t* name) {
  (void)domain, (void)category, (void)name;
}
static inline int nvtxRangePop(void) { return 0; }
static inline void nvtxNameOsThreadA(uint32_t thread, const char* name) {
  (void)thread, (void)name;
}
