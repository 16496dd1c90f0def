// An NVBit tool that writes the CSV trace of Fermata: LD_PRELOAD=fermata_trace.so ./app
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "nvbit_tool.h"

#include "nvbit.h"
#include "row.cuh"
#include "trace_writer.cuh"
#include "utils/channel.hpp"

namespace {

using fermata::nvbit::Instruction;
using fermata::nvbit::Launch;
using fermata::nvbit::Operand;

constexpr int kChannelBytes = 1 << 20;

std::unique_ptr<fermata::nvbit::TraceWriter> writer;
std::map<CUfunction, unsigned> functions;  // number of the first instruction
ChannelDev* channel = nullptr;
ChannelHost host;
pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;  // held from a launch to its last row
thread_local bool inside = false;                       // a launch of ours calls back
std::atomic<bool> receiving{true}, launchEnded{false};

std::string textOf(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

// Volta and later: what the compiler says to the scheduler, in bits 105 to 125 of an instruction.
std::string controlOf(const std::vector<uint8_t>& code) {
  if (code.size() != 16) return "";
  uint64_t high = 0;
  std::memcpy(&high, code.data() + 8, sizeof high);
  const auto bits = static_cast<unsigned>(high >> 41);
  const auto barrier = [](unsigned number) {
    return number == 7 ? '-' : static_cast<char>('0' + number);
  };
  std::string text = " [B";
  for (unsigned k = 0; k < 6; ++k)
    text += (bits >> (11 + k) & 1) != 0 ? static_cast<char>('0' + k) : '-';
  text += std::string(":R") + barrier(bits >> 8 & 7) + ":W" + barrier(bits >> 5 & 7);
  text += (bits >> 4 & 1) != 0 ? ":-" : ":Y";
  return text + ":S" + std::to_string(bits & 15) + "]";
}

// NVBit 1.8 gives the code of an instruction, releases before it do not.
template <class Instr_>
auto codeOf(Instr_* instr, int)
    -> decltype(instr->getSassBinary(nullptr, nullptr), std::vector<uint8_t>()) {
  std::vector<uint8_t> code;
  instr->getSassBinary(
      [](uint8_t byte, void* to) { static_cast<std::vector<uint8_t>*>(to)->push_back(byte); },
      &code);
  return code;
}
template <class Instr_>
std::vector<uint8_t> codeOf(Instr_*, long) {
  return {};
}

Operand operandOf(const InstrType::operand_t& from) {
  using Type = InstrType::OperandType;
  Operand to;
  const auto name = [&](unsigned bank, int number, int last) {
    if (number >= 0 && number < last) to.registers.push_back(bank + static_cast<unsigned>(number));
  };
  if (from.type == Type::REG || from.type == Type::UREG) {
    to.kind = Operand::Kind::Register;
    const bool uniform = from.type == Type::UREG;
    name(uniform ? fermata::nvbit::kUniform : fermata::nvbit::kGeneral, from.u.reg.num,
         uniform ? 63 : 255);
  } else if (from.type == Type::PRED || from.type == Type::UPRED) {
    to.kind = Operand::Kind::Predicate;
    const bool uniform = from.type == Type::UPRED;
    name(uniform ? fermata::nvbit::kUniformPredicate : fermata::nvbit::kPredicate, from.u.pred.num,
         7);
  } else if (from.type == Type::MREF) {
    to.kind = Operand::Kind::Address;
    if (from.u.mref.has_ra) name(fermata::nvbit::kGeneral, from.u.mref.ra_num, 255);
    if (from.u.mref.has_ra && from.u.mref.ra_mod == InstrType::RegModifierType::U64)
      name(fermata::nvbit::kGeneral, from.u.mref.ra_num + 1, 255);
    if (from.u.mref.has_ur) name(fermata::nvbit::kUniform, from.u.mref.ur_num, 63);
  } else if (from.type == Type::IMM_UINT64) {
    to.kind = Operand::Kind::Number;
    to.value = static_cast<int64_t>(from.u.imm_uint64.value);
  }
  return to;
}

Instruction describe(CUcontext context, CUfunction function, Instr* instr) {
  Instruction one;
  one.opcode = instr->getOpcode();
  one.text = instr->getSass() + controlOf(codeOf(instr, 0));
  char *file = nullptr, *folder = nullptr;
  uint32_t line = 0;
  if (nvbit_get_line_info(context, function, instr->getOffset(), &file, &folder, &line) &&
      file != nullptr) {
    one.file = file;
    one.line = line;
  }
  if (instr->hasPred() && instr->getPredNum() < 7)
    one.guard = {
        (instr->isPredUniform() ? fermata::nvbit::kUniformPredicate : fermata::nvbit::kPredicate) +
        static_cast<unsigned>(instr->getPredNum())};
  for (int k = 0; k < instr->getNumOperands(); ++k)
    one.operands.push_back(operandOf(*instr->getOperand(k)));
  return one;
}

// Adds number and threads of a barrier, which stand in registers or in the instruction.
void addBarrier(Instr* instr) {
  int added = 0;
  for (int k = 0; k < instr->getNumOperands() && added < 2; ++k) {
    const InstrType::operand_t& operand = *instr->getOperand(k);
    if (operand.type == InstrType::OperandType::REG) {
      nvbit_add_call_arg_reg_val(instr, operand.u.reg.num);
    } else if (operand.type == InstrType::OperandType::IMM_UINT64) {
      nvbit_add_call_arg_const_val32(instr, static_cast<uint32_t>(operand.u.imm_uint64.value));
    } else {
      continue;
    }
    ++added;
  }
  for (; added < 2; ++added) nvbit_add_call_arg_const_val32(instr, 0);
}

void addCall(Instr* instr, unsigned number) {
  int addresses = 0;
  for (int k = 0; k < instr->getNumOperands(); ++k)
    addresses += instr->getOperand(k)->type == InstrType::OperandType::MREF ? 1 : 0;
  const bool barrier = std::strncmp(instr->getOpcode(), "BAR", 3) == 0;
  const char* const call = addresses == 0   ? "fermata_row"
                           : addresses == 1 ? "fermata_access"
                                            : "fermata_copy";
  nvbit_insert_call(instr, call, IPOINT_BEFORE);
  nvbit_add_call_arg_guard_pred_val(instr);
  nvbit_add_call_arg_const_val32(instr, number);
  nvbit_add_call_arg_const_val64(instr, reinterpret_cast<uint64_t>(channel));
  if (addresses != 0) {
    for (int k = 0; k < addresses && k < 2; ++k) nvbit_add_call_arg_mref_addr64(instr, k);
  } else if (barrier) {
    addBarrier(instr);
  } else {
    nvbit_add_call_arg_const_val32(instr, 0);
    nvbit_add_call_arg_const_val32(instr, 0);
  }
}

// Returns the number of the function's first instruction. Instruments a function that is new.
unsigned numberOf(CUcontext context, CUfunction function) {
  const auto found = functions.find(function);
  if (found != functions.end()) return found->second;
  const std::vector<Instr*>& all = nvbit_get_instrs(context, function);
  std::vector<Instruction> described;
  for (Instr* const instr : all) described.push_back(describe(context, function, instr));
  const unsigned first = functions[function] = writer->addFunction(std::move(described));
  for (std::size_t k = 0; k < all.size(); ++k) addCall(all[k], first + static_cast<unsigned>(k));
  return first;
}

void* receive(void*) {
  std::vector<char> buffer(kChannelBytes);
  while (receiving) {
    const uint32_t bytes = host.recv(buffer.data(), kChannelBytes);
    for (uint32_t at = 0; at + kRowHead <= bytes;) {
      FermataRow row{};
      std::memcpy(&row, buffer.data() + at, kRowHead);
      const std::size_t lists = row.lists * sizeof row.addresses[0];
      std::memcpy(row.addresses, buffer.data() + at + kRowHead, lists);
      at += static_cast<uint32_t>(kRowHead + lists);
      if (row.block == kLaunchEnds)
        launchEnded = true;
      else
        writer->add(row);
    }
  }
  return nullptr;
}

__global__ void fermata_flush(ChannelDev* to) {
  FermataRow last;
  last.block = kLaunchEnds;
  last.lists = 0;
  to->push(&last, static_cast<uint32_t>(kRowHead));
  to->flush();
}

template <class Dimensions>
void beginLaunch(CUcontext context, CUfunction function, const Dimensions& size) {
  Launch launch;
  launch.kernel = nvbit_get_func_name(context, function);
  launch.functions.push_back(numberOf(context, function));
  for (const CUfunction other : nvbit_get_related_functions(context, function))
    launch.functions.push_back(numberOf(context, other));
  launch.blocks = uint64_t{size.gridDimX} * size.gridDimY * size.gridDimZ;
  launch.threads = size.blockDimX * size.blockDimY * size.blockDimZ;
  int registers = 0, shared = 0, major = 0, minor = 0;
  CUdevice device = 0;
  cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  cuCtxGetDevice(&device);
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  launch.registers = static_cast<unsigned>(registers);
  launch.shared = static_cast<unsigned>(shared) + size.sharedMemBytes;
  launch.architecture = static_cast<unsigned>(major * 10 + minor);
  launch.sharedBase = nvbit_get_shmem_base_addr(context);
  launch.localBase = nvbit_get_local_mem_base_addr(context);
  writer->begin(launch);
  nvbit_enable_instrumented(context, function, true);
}

void endLaunch() {
  cudaDeviceSynchronize();
  launchEnded = false;
  fermata_flush<<<1, 1>>>(channel);
  cudaDeviceSynchronize();
  while (!launchEnded) sched_yield();
  writer->end();
}

}  // namespace

void nvbit_at_init() {
  setenv("CUDA_MANAGED_FORCE_DEVICE_ALLOC", "1", 1);
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // the flush must not be loaded while a kernel runs
  writer = std::make_unique<fermata::nvbit::TraceWriter>(
      textOf("FERMATA_TRACE", "trace.csv"), textOf("FERMATA_OPCODES", FERMATA_OPCODE_FILE));
}

void nvbit_tool_init(CUcontext) {
  if (channel != nullptr) return;  // one device
  cudaMallocManaged(reinterpret_cast<void**>(&channel), sizeof(ChannelDev));
  host.init(0, kChannelBytes, channel, receive, nullptr);
  nvbit_set_tool_pthread(host.get_thread());
}

void nvbit_at_cuda_event(CUcontext context, int is_exit, nvbit_api_cuda_t call, const char*,
                         void* arguments, CUresult*) {
  if (inside) return;
  const bool extended = call == API_CUDA_cuLaunchKernelEx || call == API_CUDA_cuLaunchKernelEx_ptsz;
  const bool plain = call == API_CUDA_cuLaunchKernel || call == API_CUDA_cuLaunchKernel_ptsz ||
                     call == API_CUDA_cuLaunchCooperativeKernel ||
                     call == API_CUDA_cuLaunchCooperativeKernel_ptsz;
  if (call == API_CUDA_cuMemcpyHtoD_v2 && is_exit == 0) {
    const auto* const copy = static_cast<cuMemcpyHtoD_v2_params*>(arguments);
    writer->copied(copy->dstDevice, copy->ByteCount);
  }
  if ((!extended && !plain) || channel == nullptr) return;
  if (is_exit == 0) pthread_mutex_lock(&launching);
  inside = true;
  if (is_exit != 0) {
    endLaunch();
  } else if (extended) {
    const auto* const launch = static_cast<cuLaunchKernelEx_params*>(arguments);
    beginLaunch(context, launch->f, *launch->config);
  } else {
    const auto* const launch = static_cast<cuLaunchKernel_params*>(arguments);
    beginLaunch(context, launch->f, *launch);
  }
  inside = false;
  if (is_exit != 0) pthread_mutex_unlock(&launching);
}

void nvbit_at_term() {
  receiving = false;
  if (!writer->finish()) std::fprintf(stderr, "fermata: the trace could not be written\n");
}
