// cuBLASLt's handles and descriptors.
#include <fermata/platforms/cudart/api_blas_lt.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>

struct cublasLtContext {};

using namespace fermata::cudart;

namespace {

std::set<cublasLtHandle_t>& ltHandles() {
  static auto* const all = new std::set<cublasLtHandle_t>;
  return *all;
}

/// An attribute: a field of what a descriptor holds.
struct Field {
  int attribute;
  std::size_t offset, bytes;
};
#define FERMATA_FIELD(attribute, T, field) \
  { attribute, offsetof(T, field), sizeof(T::field) }
#define FERMATA_PLACE(attribute, T, field, place)                               \
  {                                                                             \
    attribute, offsetof(T, field) + (place) * sizeof(*std::declval<T>().field), \
        sizeof(*std::declval<T>().field)                                        \
  }

constexpr Field kOfProduct[] = {
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, LtProduct, compute),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, LtProduct, scale),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, LtProduct, pointers),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_TRANSA, LtProduct, ofA),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_TRANSB, LtProduct, ofB),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_TRANSC, LtProduct, ofC),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, LtProduct, fill),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, LtProduct, epilogue),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, LtProduct, bias),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, LtProduct, biasStride),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, LtProduct, biasType),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, LtProduct, aux),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, LtProduct, auxLead),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtProduct, auxStride),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtProduct, auxType),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, LtProduct, processors),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, LtProduct, fast),
    FERMATA_FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, LtProduct, largest),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, LtProduct, scales, 0),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, LtProduct, scales, 1),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, LtProduct, scales, 2),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, LtProduct, scales, 3),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, LtProduct, scaleModes, 0),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, LtProduct, scaleModes, 1),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_C_SCALE_MODE, LtProduct, scaleModes, 2),
    FERMATA_PLACE(CUBLASLT_MATMUL_DESC_D_SCALE_MODE, LtProduct, scaleModes, 3),
};
constexpr Field kOfLayout[] = {
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, LtLayout, type),
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, LtLayout, order),
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, LtLayout, rows),
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, LtLayout, columns),
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_LD, LtLayout, lead),
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LtLayout, count),
    FERMATA_FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtLayout, stride),
};
constexpr Field kOfPreference[] = {
    FERMATA_FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, LtPreference, search),
    FERMATA_FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, workspace),
    FERMATA_FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reductions),
    FERMATA_PLACE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, alignments, 0),
    FERMATA_PLACE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, alignments, 1),
    FERMATA_PLACE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, alignments, 2),
    FERMATA_PLACE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, alignments, 3),
    FERMATA_FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, waves),
    FERMATA_FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, LtPreference, ways),
};
#undef FERMATA_FIELD
#undef FERMATA_PLACE

template <std::size_t kCount>
const Field& fieldOf(const Field (&fields)[kCount], int attribute) {
  const auto* const found =
      std::find_if(std::begin(fields), std::end(fields),
                   [&](const Field& field) { return field.attribute == attribute; });
  requireBlas(found != std::end(fields), "an attribute that has no effect here",
              CUBLAS_STATUS_NOT_SUPPORTED);
  return *found;
}

template <class Opaque, std::size_t kCount>
cublasStatus_t setField(const char* name, Opaque* descriptor, const Field (&fields)[kCount],
                        int attribute, const void* from, std::size_t bytes) {
  return blas(name, [&] {
    requireBlas(descriptor != nullptr && from != nullptr, "no descriptor or no value");
    const Field& field = fieldOf(fields, attribute);
    requireBlas(bytes == field.bytes, "a value of another size than the attribute's");
    std::memcpy(reinterpret_cast<char*>(descriptor->data) + field.offset, from, bytes);
  });
}
template <class Opaque, std::size_t kCount>
cublasStatus_t getField(const char* name, Opaque* descriptor, const Field (&fields)[kCount],
                        int attribute, void* to, std::size_t bytes, std::size_t* written) {
  return blas(name, [&] {
    requireBlas(descriptor != nullptr, "no descriptor");
    const Field& field = fieldOf(fields, attribute);
    if (written != nullptr) *written = field.bytes;
    if (bytes == 0 && written != nullptr) return;
    requireBlas(to != nullptr && bytes == field.bytes,
                "a value of another size than the attribute's");
    std::memcpy(to, reinterpret_cast<const char*>(descriptor->data) + field.offset, bytes);
  });
}

/// Makes a descriptor, which `init` begins.
template <class Opaque, class Init>
cublasStatus_t create(const char* name, Opaque** to, Init init) {
  if (to == nullptr) return blas(name, [] { requireBlas(false, "no place for the descriptor"); });
  *to = new Opaque{};
  return init(*to);
}

}  // namespace

void fermata::cudart::requireLtHandle(cublasLtHandle_t handle) {
  requireBlas(
      ltHandles().count(handle) != 0 || isBlasHandle(reinterpret_cast<cublasHandle_t>(handle)),
      "not a handle", CUBLAS_STATUS_NOT_INITIALIZED);
}

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return blas(
      "cublasLtCreate",
      [&] {
        requireBlas(handle != nullptr, "no place for the handle");
        (void)soundSession();
        *handle = *ltHandles().insert(new cublasLtContext).first;
      },
      CUBLAS_STATUS_NOT_INITIALIZED);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return blas("cublasLtDestroy", [&] {
    requireBlas(ltHandles().erase(handle) != 0, "not a handle", CUBLAS_STATUS_NOT_INITIALIZED);
    delete handle;
  });
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t product, cublasComputeType_t compute,
                                      cudaDataType scale) {
  return blas("cublasLtMatmulDescInit", [&] {
    auto& held = heldBy<LtProduct>(product);
    held = {};
    held.compute = compute;
    held.scale = scale;
    held.fill = CUBLAS_FILL_MODE_FULL;
    held.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    held.biasType = held.auxType = -1;
  });
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t compute,
                                        cudaDataType scale) {
  return create("cublasLtMatmulDescCreate", product, [&](cublasLtMatmulDesc_t made) {
    return cublasLtMatmulDescInit(made, compute, scale);
  });
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) {
  delete product;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* from, size_t bytes) {
  return setField("cublasLtMatmulDescSetAttribute", product, kOfProduct, attribute, from, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute, void* to,
                                              size_t bytes, size_t* written) {
  return getField("cublasLtMatmulDescGetAttribute", product, kOfProduct, attribute, to, bytes,
                  written);
}

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                        uint64_t rows, uint64_t columns, int64_t lead) {
  return blas("cublasLtMatrixLayoutInit", [&] {
    heldBy<LtLayout>(layout) = {type, CUBLASLT_ORDER_COL, rows, columns, lead, 0, 1};
  });
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t lead) {
  return create("cublasLtMatrixLayoutCreate", layout, [&](cublasLtMatrixLayout_t made) {
    return cublasLtMatrixLayoutInit(made, type, rows, columns, lead);
  });
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* from, size_t bytes) {
  return setField("cublasLtMatrixLayoutSetAttribute", layout, kOfLayout, attribute, from, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* to,
                                                size_t bytes, size_t* written) {
  return getField("cublasLtMatrixLayoutGetAttribute", layout, kOfLayout, attribute, to, bytes,
                  written);
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  return blas("cublasLtMatmulPreferenceInit", [&] { heldBy<LtPreference>(preference) = {}; });
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create("cublasLtMatmulPreferenceCreate", preference, cublasLtMatmulPreferenceInit);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* from, size_t bytes) {
  return setField("cublasLtMatmulPreferenceSetAttribute", preference, kOfPreference, attribute,
                  from, bytes);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* to, size_t bytes, size_t* written) {
  return getField("cublasLtMatmulPreferenceGetAttribute", preference, kOfPreference, attribute, to,
                  bytes, written);
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* way,
                                       cublasLtMatmulHeuristicResult_t* result) {
  return blas("cublasLtMatmulAlgoCheck", [&] {
    requireLtHandle(handle);
    requireBlas(way != nullptr && result != nullptr, "no way, or no place for the result");
    checkProduct(heldBy<LtProduct>(product), heldBy<LtLayout>(a), heldBy<LtLayout>(b),
                 heldBy<LtLayout>(c), heldBy<LtLayout>(d));
    *result = {*way, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
  });
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int most,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* count) {
  if (count != nullptr) *count = 0;
  if (count == nullptr || results == nullptr || most < 1) return CUBLAS_STATUS_INVALID_VALUE;
  const cublasLtMatmulAlgo_t only{};
  const auto status = cublasLtMatmulAlgoCheck(handle, product, a, b, c, d, &only, results);
  *count = status == CUBLAS_STATUS_SUCCESS ? 1 : 0;
  return status;
}

}  // extern "C"
