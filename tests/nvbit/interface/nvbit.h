// NVBit's public interface as far as the tool uses it: names and types as in releases 1.5 to 1.8.
// Written for the test, which implements it with made-up instructions.
#pragma once

#include <cuda.h>
#include <pthread.h>
#include <stdint.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace InstrType {

enum class OperandType { IMM_UINT64, IMM_DOUBLE, REG, PRED, UREG, UPRED, CBANK, MREF, GENERIC };
enum class RegModifierType { X1, X4, X8, X16, U32, U64, NO_MOD };

struct operand_t {
  OperandType type;
  union {
    struct {
      uint64_t value;
    } imm_uint64;
    struct {
      int num;
    } reg;
    struct {
      int num;
    } pred;
    struct {
      bool has_ra;
      int ra_num;
      RegModifierType ra_mod;
      bool has_ur;
      int ur_num;
    } mref;
  } u;
};

}  // namespace InstrType

class Instr {
 public:
  const char* getSass();
  const char* getOpcode();
  uint32_t getOffset();
  bool hasPred();
  int getPredNum();
  bool isPredUniform();
  int getNumOperands();
  const InstrType::operand_t* getOperand(int number);
#ifdef NVBIT_HAS_CODE
  void getSassBinary(void (*take)(uint8_t byte, void* data), void* data);
#endif

  struct Made;
  Made* made = nullptr;
};

enum nvbit_api_cuda_t {
  API_CUDA_cuLaunchKernel,
  API_CUDA_cuLaunchKernel_ptsz,
  API_CUDA_cuLaunchKernelEx,
  API_CUDA_cuLaunchKernelEx_ptsz,
  API_CUDA_cuLaunchCooperativeKernel,
  API_CUDA_cuLaunchCooperativeKernel_ptsz,
  API_CUDA_cuMemcpyHtoD_v2,
};

struct NvbitLaunchSize {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
};
struct cuLaunchKernel_params : NvbitLaunchSize {
  CUfunction f;
};
struct cuLaunchKernelEx_params {
  const NvbitLaunchSize* config;
  CUfunction f;
};
struct cuMemcpyHtoD_v2_params {
  CUdeviceptr dstDevice;
  const void* srcHost;
  size_t ByteCount;
};

extern "C" {
void nvbit_at_init();
void nvbit_at_term();
void nvbit_tool_init(CUcontext context);
void nvbit_at_cuda_event(CUcontext context, int is_exit, nvbit_api_cuda_t call, const char* name,
                         void* arguments, CUresult* status);
}

enum ipoint_t { IPOINT_BEFORE, IPOINT_AFTER };

std::vector<CUfunction> nvbit_get_related_functions(CUcontext context, CUfunction function);
const std::vector<Instr*>& nvbit_get_instrs(CUcontext context, CUfunction function);
const char* nvbit_get_func_name(CUcontext context, CUfunction function, bool mangled = false);
bool nvbit_get_line_info(CUcontext context, CUfunction function, uint32_t offset, char** file,
                         char** folder, uint32_t* line);
uint64_t nvbit_get_shmem_base_addr(CUcontext context);
uint64_t nvbit_get_local_mem_base_addr(CUcontext context);
void nvbit_insert_call(const Instr* instr, const char* function, ipoint_t point);
void nvbit_add_call_arg_guard_pred_val(const Instr* instr, bool variadic = false);
void nvbit_add_call_arg_const_val32(const Instr* instr, uint32_t value, bool variadic = false);
void nvbit_add_call_arg_const_val64(const Instr* instr, uint64_t value, bool variadic = false);
void nvbit_add_call_arg_reg_val(const Instr* instr, int number, bool variadic = false);
void nvbit_add_call_arg_mref_addr64(const Instr* instr, int number = 0, bool variadic = false);
void nvbit_enable_instrumented(CUcontext context, CUfunction function, bool flag,
                               bool related = true);
void nvbit_set_tool_pthread(pthread_t thread);
