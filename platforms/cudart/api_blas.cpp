// cuBLAS's handles and copies. The host computes what the calls ask for, in doubles, and writes it
// where the program wants it: nothing is launched, and no simulated time passes.
#include <fermata/platforms/cudart/api_blas.h>

#include <cstring>
#include <set>

using namespace fermata::cudart;

namespace fermata::cudart {

namespace {

std::set<cublasHandle_t>& blasHandles() {
  static auto* const all = new std::set<cublasHandle_t>;
  return *all;
}

/// Copies elements between the host and the device, one row of memory per element or column.
cublasStatus_t copyBlas(const char* name, cudaStream_t stream, const Rows& rows, const void* from,
                        std::size_t fromPitch, void* to, std::size_t toPitch, cudaMemcpyKind kind) {
  return blas(
      name,
      [&] {
        requireStream(stream);
        requireBlas(fromPitch >= rows.width && toPitch >= rows.width,
                    "a step or a leading dimension that is too small");
        copy(soundSession(), Place{to, toPitch, 0}, Place{from, fromPitch, 0}, rows, kind);
      },
      CUBLAS_STATUS_MAPPING_ERROR);
}
cublasStatus_t copyVector(const char* name, cudaStream_t stream, int n, int size, const void* from,
                          int fromStep, void* to, int toStep, cudaMemcpyKind kind) {
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  if (n < 0 || size <= 0 || fromStep <= 0 || toStep <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<std::size_t>(size);
  return copyBlas(name, stream, {bytes, static_cast<std::size_t>(n), 1}, from,
                  static_cast<std::size_t>(fromStep) * bytes, to,
                  static_cast<std::size_t>(toStep) * bytes, kind);
}
cublasStatus_t copyMatrix(const char* name, cudaStream_t stream, int rows, int columns, int size,
                          const void* from, int fromLead, void* to, int toLead,
                          cudaMemcpyKind kind) {
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  if (rows < 0 || columns < 0 || size <= 0 || fromLead < rows || toLead < rows)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<std::size_t>(size);
  return copyBlas(name, stream,
                  {static_cast<std::size_t>(rows) * bytes, static_cast<std::size_t>(columns), 1},
                  from, static_cast<std::size_t>(fromLead) * bytes, to,
                  static_cast<std::size_t>(toLead) * bytes, kind);
}

/// Keeps or returns a setting of a handle.
template <class T>
cublasStatus_t setBlas(const char* name, cublasHandle_t handle, T cublasContext::*field, T value) {
  return blas(name, handle, [&](cublasContext& context) { context.*field = value; });
}
template <class T>
cublasStatus_t getBlas(const char* name, cublasHandle_t handle, T cublasContext::*field, T* to) {
  return blas(name, handle, [&](cublasContext& context) {
    requireBlas(to != nullptr, "no place for the result");
    *to = context.*field;
  });
}

}  // namespace

bool isBlasHandle(cublasHandle_t handle) { return blasHandles().count(handle) != 0; }

Session& sessionOf(const cublasContext& context) {
  requireStream(context.stream);
  const CUstream_st* const state = stateOf(context.stream);
  requireBlas(state == nullptr || state->capture == nullptr,
              "a graph cannot hold a call of cuBLAS; expected a stream that is not being captured",
              CUBLAS_STATUS_NOT_SUPPORTED);
  return soundSession();
}

double scaleOf(const cublasContext& context, cudaDataType type, const void* scale) {
  requireBlas(scale != nullptr, "no scale");
  std::uint8_t bytes[sizeof(double)];
  if (context.pointers == CUBLAS_POINTER_MODE_HOST) {
    std::memcpy(bytes, scale, blasSize(type));
  } else {
    copy(sessionOf(context), bytes, scale, blasSize(type), cudaMemcpyDeviceToHost);
  }
  return numbersOf(type, bytes, 1)[0];
}

void putResult(const cublasContext& context, void* to, const void* result, std::size_t bytes) {
  requireBlas(to != nullptr, "no place for the result");
  if (context.pointers == CUBLAS_POINTER_MODE_HOST) {
    std::memcpy(to, result, bytes);
  } else {
    copy(sessionOf(context), to, result, bytes, cudaMemcpyHostToDevice);
  }
}

}  // namespace fermata::cudart

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  return blas(
      "cublasCreate",
      [&] {
        requireBlas(handle != nullptr, "no place for the handle");
        (void)soundSession();
        *handle = *blasHandles().insert(new cublasContext).first;
      },
      CUBLAS_STATUS_NOT_INITIALIZED);
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return blas("cublasDestroy", handle, [&](cublasContext&) {
    blasHandles().erase(handle);
    delete handle;
  });
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  return blas("cublasGetVersion", handle, [&](cublasContext&) {
    requireBlas(version != nullptr, "no place for the result");
    *version = CUBLAS_VERSION;
  });
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CUBLAS_STATUS_INVALID_VALUE;
  constexpr int kParts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = kParts[type];
  return CUBLAS_STATUS_SUCCESS;
}
size_t cublasGetCudartVersion() { return CUDART_VERSION; }

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return blas("cublasSetStream", handle, [&](cublasContext& context) {
    requireStream(stream);
    context.stream = stream;
  });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return getBlas("cublasGetStream", handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return setBlas("cublasSetPointerMode", handle, &cublasContext::pointers, mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return getBlas("cublasGetPointerMode", handle, &cublasContext::pointers, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return setBlas("cublasSetAtomicsMode", handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return getBlas("cublasGetAtomicsMode", handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return setBlas("cublasSetMathMode", handle, &cublasContext::math, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return getBlas("cublasGetMathMode", handle, &cublasContext::math, mode);
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return blas("cublasSetWorkspace", handle, [](cublasContext&) {});
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return setBlas("cublasSetSmCountTarget", handle, &cublasContext::processors, count);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return getBlas("cublasGetSmCountTarget", handle, &cublasContext::processors, count);
}

cublasStatus_t cublasSetVector(int n, int size, const void* from, int fromStep, void* to,
                               int toStep) {
  return copyVector("cublasSetVector", nullptr, n, size, from, fromStep, to, toStep,
                    cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int size, const void* from, int fromStep, void* to,
                               int toStep) {
  return copyVector("cublasGetVector", nullptr, n, size, from, fromStep, to, toStep,
                    cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* from, int fromLead,
                               void* to, int toLead) {
  return copyMatrix("cublasSetMatrix", nullptr, rows, columns, size, from, fromLead, to, toLead,
                    cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* from, int fromLead,
                               void* to, int toLead) {
  return copyMatrix("cublasGetMatrix", nullptr, rows, columns, size, from, fromLead, to, toLead,
                    cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* from, int fromStep, void* to,
                                    int toStep, cudaStream_t stream) {
  return copyVector("cublasSetVectorAsync", stream, n, size, from, fromStep, to, toStep,
                    cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* from, int fromStep, void* to,
                                    int toStep, cudaStream_t stream) {
  return copyVector("cublasGetVectorAsync", stream, n, size, from, fromStep, to, toStep,
                    cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* from, int fromLead,
                                    void* to, int toLead, cudaStream_t stream) {
  return copyMatrix("cublasSetMatrixAsync", stream, rows, columns, size, from, fromLead, to, toLead,
                    cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* from, int fromLead,
                                    void* to, int toLead, cudaStream_t stream) {
  return copyMatrix("cublasGetMatrixAsync", stream, rows, columns, size, from, fromLead, to, toLead,
                    cudaMemcpyDeviceToHost);
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "unknown status of cuBLAS";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

}  // extern "C"
