// Input: a line "banks words bytes TEXT" with the bytes of a bank's word, then PTX. The hash is put
// into the kernels, or refused. The result must be PTX, and a warp that runs it must leave the same
// memory as the original kernel.
#include <fermata/models/indexing/indexer.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/software_hash/rewrite.h>
#include "tests/fuzz/input.h"

namespace {

using namespace fermata;
using fuzz::require;
using software_hash::HashRequest;
using software_hash::SoftwareHash;

constexpr std::uint64_t kBudget = 1000;
constexpr std::uint64_t kRewrittenBudget = 100 * kBudget;
constexpr std::size_t kBufferBytes = 4096;
constexpr std::uint32_t kDynamicBytes = 260;
constexpr std::uint64_t kMaxBytes = 1U << 18;

/// Checks that hashed words share a bank under `mod` exactly when the words share one under the
/// mapping, and that a window grows to just hold them.
void checkHash(const SoftwareHash& hash, const HashRequest& request) {
  const auto indexer = indexing::build(request.text, {request.banks, request.words});
  std::map<std::uint32_t, std::uint32_t> there, back;
  std::uint64_t end = 0;
  const std::uint32_t unit = request.bankBytes;
  for (std::uint32_t word = 0; word < std::min(request.words, 600U); ++word) {
    const std::uint32_t address = hash.address(unit * word + word % unit);
    require(address % unit == word % unit, "the hash leaves the place within a word");
    end = std::max<std::uint64_t>(end, address - address % unit + unit);
    if (word % 41 == 0) {
      const std::uint64_t bytes = std::uint64_t{unit} * word + 1;
      require(hash.windowBytes(bytes) == (hash.isIdentity() ? bytes : std::max(end, bytes)),
              "the window is as large as its words need");
    }
    const std::uint32_t ours = address / unit % request.banks;
    const std::uint32_t theirs = indexer->location(word).bank;
    require(there.emplace(theirs, ours).first->second == ours &&
                back.emplace(ours, theirs).first->second == theirs,
            hash.text() + ": words share a bank exactly when the mapping says so");
  }
}

bool hasSpace(const std::string& opcode) {
  for (const char* space : {".shared", ".global", ".local", ".const", ".param"}) {
    if (opcode.find(space) != std::string::npos) return true;
  }
  return false;
}

/// True if the kernel is small and cannot tell the hash from none: no clock, no size of the window,
/// no address of shared memory made from numbers.
bool comparable(const ptx::Module& module, const ptx::Kernel& kernel, std::string_view text) {
  std::uint64_t bytes = kernel.localBytes() * std::uint64_t{32} + kernel.staticSharedBytes();
  for (const auto& variable : module.variables()) bytes += variable.second;
  if (bytes > kMaxBytes) return false;
  for (const char* name : {"clock", "timer", "smem_size"}) {
    if (text.find(name) != std::string_view::npos) return false;
  }
  for (std::uint32_t pc = 0; pc < kernel.instructionCount(); ++pc) {
    const std::string& opcode = kernel.text(pc).opcode;
    for (const char* access : {"ld", "st", "atom", "red"}) {
      const std::size_t length = std::strlen(access);
      if (opcode.compare(0, length, access) == 0 && opcode.substr(length, 1) == "." &&
          !hasSpace(opcode)) {
        return false;
      }
    }
  }
  return true;
}

/// Runs one warp; returns the buffer that every parameter points at.
std::vector<std::uint8_t> run(const ptx::Kernel& kernel, std::uint32_t dynamicBytes,
                              std::uint64_t budget) {
  ptx::DeviceMemory memory;
  ptx::ExecutorOptions options;
  options.instructionBudget = budget;
  options.sharedLimit = kMaxBytes;
  ptx::Executor executor(1, memory, options);
  const std::uint64_t buffer = memory.allocate(kBufferBytes, "buffer");
  ptx::Launch launch;
  launch.kernel = &kernel;
  launch.block.x = kWarpLanes;
  launch.dynamicSharedBytes = dynamicBytes;
  launch.parameters.resize(kernel.parameterBytes());
  for (const ptx::KernelParameter& parameter : kernel.parameters()) {
    std::memcpy(&launch.parameters[parameter.offset], &buffer,
                std::min<std::size_t>(parameter.bytes, sizeof buffer));
  }
  runFunctionally(executor, launch);
  std::vector<std::uint8_t> bytes(kBufferBytes);
  memory.read(buffer, bytes.data(), bytes.size());
  return bytes;
}

std::optional<std::vector<std::uint8_t>> runIfItCan(const ptx::Kernel& kernel) {
  try {
    return run(kernel, kernel.usesDynamicShared() ? kDynamicBytes : 0, kBudget);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void compareRuns(const ptx::Module& module, const ptx::Module& hashed, const SoftwareHash& hash,
                 std::string_view text) {
  for (const std::string& entry : module.entries()) {
    const ptx::Kernel& kernel = module.kernel(entry);
    const ptx::Kernel& other = hashed.kernel(entry);
    if (!comparable(module, kernel, text)) continue;
    // Another entry's window may have grown and moved the dynamic shared memory.
    if (kernel.usesDynamicShared() && other.staticSharedBytes() != kernel.staticSharedBytes()) {
      continue;
    }
    std::uint64_t dynamic = 0;
    if (kernel.usesDynamicShared()) {
      dynamic =
          hash.windowBytes(kernel.staticSharedBytes() + kDynamicBytes) - kernel.staticSharedBytes();
    }
    if (dynamic + other.staticSharedBytes() > kMaxBytes) continue;
    const auto expected = runIfItCan(kernel);
    if (!expected) continue;
    try {
      require(run(other, static_cast<std::uint32_t>(dynamic), kRewrittenBudget) == *expected,
              entry + " computes the same with its hash");
    } catch (const InputError& error) {
      require(false, entry + " runs with its hash as without: " + error.what());
    }
  }
}

std::shared_ptr<const ptx::Module> parseAgain(const std::string& text) {
  try {
    return ptx::parse(text, "hashed.ptx");
  } catch (const InputError& error) {
    require(false, std::string("what was written is PTX: ") + error.what());
    return nullptr;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  HashRequest request;
  std::string line = fuzz::takeLine(text);
  if (!fuzz::takeNumber(line, 4096, request.banks) ||
      !fuzz::takeNumber(line, 1U << 28, request.words) ||
      !fuzz::takeNumber(line, 16, request.bankBytes)) {
    return -1;
  }
  request.text = line;
  try {
    const SoftwareHash hash(request);
    checkHash(hash, request);
    const auto module = ptx::parse(text, "fuzz.ptx");
    for (const auto lines : {software_hash::Lines::Kept, software_hash::Lines::OneEach}) {
      request.reuse = lines == software_hash::Lines::Kept;
      const software_hash::Rewritten hashed = rewrite(*module, request, lines);
      compareRuns(*module, *parseAgain(hashed.text), hash, text);
    }
  } catch (const InputError&) {
  }
  return 0;
}
