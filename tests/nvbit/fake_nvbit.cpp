#include "tests/nvbit/fake_nvbit.h"

#include <cuda_runtime_api.h>

#include <cstring>
#include <mutex>
#include <thread>

#include "tests/nvbit/interface/utils/channel.hpp"

namespace fermata::test {

namespace {

using Type = InstrType::OperandType;

std::vector<std::vector<Made>> functions;
std::vector<std::vector<Instr>> handles;
std::vector<std::vector<Instr*>> pointers;
std::mutex mutex;
std::string sent;  // bytes that the host has not received
pthread_t receiver;
unsigned char memory[4096];

InstrType::operand_t operand(Type type) {
  InstrType::operand_t made{};
  made.type = type;
  return made;
}

std::size_t indexOf(CUfunction function) {
  return reinterpret_cast<std::size_t>(function) - 1;
}

Made& madeOf(const Instr* instr) {
  return *instr->made;
}

}  // namespace

InstrType::operand_t reg(int number) {
  InstrType::operand_t made = operand(Type::REG);
  made.u.reg.num = number;
  return made;
}
InstrType::operand_t uniform(int number) {
  InstrType::operand_t made = operand(Type::UREG);
  made.u.reg.num = number;
  return made;
}
InstrType::operand_t predicate(int number) {
  InstrType::operand_t made = operand(Type::PRED);
  made.u.pred.num = number;
  return made;
}
InstrType::operand_t number(uint64_t value) {
  InstrType::operand_t made = operand(Type::IMM_UINT64);
  made.u.imm_uint64.value = value;
  return made;
}
InstrType::operand_t address(int number, bool pair) {
  InstrType::operand_t made = operand(Type::MREF);
  made.u.mref = {true, number,
                 pair ? InstrType::RegModifierType::U64 : InstrType::RegModifierType::NO_MOD, false,
                 0};
  return made;
}

void setFunctions(std::vector<std::vector<Made>> made) {
  functions = std::move(made);
  handles.clear();
  pointers.clear();
  for (std::vector<Made>& function : functions) {
    handles.emplace_back(function.size());
    pointers.emplace_back();
    for (std::size_t k = 0; k < function.size(); ++k) {
      handles.back()[k].made = &function[k];
      pointers.back().push_back(&handles.back()[k]);
    }
  }
}

const Made& instructionOf(unsigned function, unsigned index) {
  return functions[function][index];
}

void send(const FermataRow& row) {
  const std::lock_guard<std::mutex> lock(mutex);
  sent.append(reinterpret_cast<const char*>(&row), kRowHead + row.lists * sizeof row.addresses[0]);
}

}  // namespace fermata::test

using namespace fermata::test;

const char* Instr::getSass() {
  return made->sass.c_str();
}
const char* Instr::getOpcode() {
  return made->opcode.c_str();
}
uint32_t Instr::getOffset() {
  for (const auto& function : functions) {
    if (made >= function.data() && made < function.data() + function.size())
      return static_cast<uint32_t>(16 * (made - function.data()));
  }
  return 0;
}
bool Instr::hasPred() {
  return made->guard >= 0;
}
int Instr::getPredNum() {
  return made->guard;
}
bool Instr::isPredUniform() {
  return false;
}
int Instr::getNumOperands() {
  return static_cast<int>(made->operands.size());
}
const InstrType::operand_t* Instr::getOperand(int number) {
  return &made->operands[static_cast<std::size_t>(number)];
}
void Instr::getSassBinary(void (*take)(uint8_t byte, void* data), void* data) {
  for (const uint8_t byte : made->code) take(byte, data);
}

std::vector<CUfunction> nvbit_get_related_functions(CUcontext, CUfunction function) {
  std::vector<CUfunction> others;
  for (std::size_t k = 1; indexOf(function) == 0 && k < functions.size(); ++k)
    others.push_back(reinterpret_cast<CUfunction>(k + 1));
  return others;
}
const std::vector<Instr*>& nvbit_get_instrs(CUcontext, CUfunction function) {
  return pointers[indexOf(function)];
}
const char* nvbit_get_func_name(CUcontext, CUfunction, bool) {
  return "kernel(int, float*)";
}
bool nvbit_get_line_info(CUcontext, CUfunction, uint32_t offset, char** file, char** folder,
                         uint32_t* line) {
  static char name[] = "kernel.cu";
  *file = name;
  *folder = name;
  *line = 10 + offset / 16;
  return true;
}
uint64_t nvbit_get_shmem_base_addr(CUcontext) {
  return 0x7f0000000000;
}
uint64_t nvbit_get_local_mem_base_addr(CUcontext) {
  return 0x7e0000000000;
}
void nvbit_insert_call(const Instr* instr, const char* function, ipoint_t) {
  madeOf(instr).call = function;
}
void nvbit_add_call_arg_guard_pred_val(const Instr* instr, bool) {
  madeOf(instr).arguments.push_back(1);
}
void nvbit_add_call_arg_const_val32(const Instr* instr, uint32_t value, bool) {
  madeOf(instr).arguments.push_back(value);
}
void nvbit_add_call_arg_const_val64(const Instr* instr, uint64_t value, bool) {
  madeOf(instr).arguments.push_back(value);
}
void nvbit_add_call_arg_reg_val(const Instr* instr, int number, bool) {
  madeOf(instr).arguments.push_back(1000 + static_cast<uint64_t>(number));
}
void nvbit_add_call_arg_mref_addr64(const Instr* instr, int number, bool) {
  madeOf(instr).arguments.push_back(2000 + static_cast<uint64_t>(number));
}
void nvbit_enable_instrumented(CUcontext, CUfunction, bool, bool) {}
void nvbit_set_tool_pthread(pthread_t) {}

void ChannelHost::init(int, int, ChannelDev*, void* (*receive)(void*), void* argument) {
  ::pthread_create(&receiver, nullptr, receive, argument);
}
uint32_t ChannelHost::recv(void* buffer, uint32_t most) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (sent.empty() || sent.size() > most) return 0;
  std::memcpy(buffer, sent.data(), sent.size());
  const auto size = static_cast<uint32_t>(sent.size());
  sent.clear();
  return size;
}
pthread_t ChannelHost::get_thread() {
  return receiver;
}

extern "C" {
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 8 : 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 1024;
  return CUDA_SUCCESS;
}
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
cudaError_t cudaMallocManaged(void** place, size_t, unsigned) {
  *place = memory;
  return cudaSuccess;
}
/// The tool launches one kernel itself, which ends the rows of a launch.
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {
  FermataRow last{};
  last.block = kLaunchEnds;
  send(last);
  return cudaSuccess;
}
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, cudaStream_t) {
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*) {
  return cudaSuccess;
}
}
