// SIMT execution of decoded PTX: many warps in warp slots, each stepped by whoever owns the time.
//
// Semantics in short
// - Divergence: a stack of masks; paths join at the immediate post-dominator of the branch. The
//   taken path runs first, unless it alone leads to a barrier and the paths meet at most to exit:
//   lanes that return early then have. Lanes that wait in a loop for a lane of the same warp let it
//   go on (warp_splits.h). A wait without end is an error when the instruction budget runs out.
// - Atomics act lane after lane in rising order; stores of several lanes to one address: the
//   highest wins.
// - Shared memory is zero when a CTA starts, and so are registers and local memory (hardware
//   promises nothing); with checkUninitialised a read of a byte of shared, local or global memory
//   that was never written is an error.
// - Lanes of a generic access in two spaces are two accesses: the warp executes the instruction for
//   the space of its first lane, then again for the others.
// - Warp-wide instructions (.sync) join the lanes that execute them together and name the same
//   members; members that do not (exited, or on another path) are left out, and a shfl from one
//   gives 0. Members that wait apart in a loop are waited for. A lane outside its own member mask
//   is an error.
// - Functions are inlined where they are called by name. One that is called by its address, or
//   that calls itself by whatever way, gets a frame of its own; lanes that call different functions
//   part, and meet behind the call. A call takes at least 16 bytes of the stack.
// - A barrier that a warp executes while some of its threads, not yet exited, are elsewhere is an
//   error (barrier divergence). Threads that have only their exit before them count as exited. A
//   predicated-off barrier is not executed.
// - Groups of cp.async are those of the warp: lanes that commit apart close a group each time, and
//   a wait for all but N groups waits for all but the warp's last N, which is never less than the
//   lane asks for. The source is read when the copy executes; the data are in shared memory when
//   storeCopy() puts them there, and without time when the warp waits for their group. A copy that
//   nobody waits for is dropped with its CTA when there is no time.
// - Integer division by zero gives all ones; the remainder by zero gives the dividend; the most
//   negative number divided by -1 gives itself, remainder 0.
// - vprintf formats as C's printf does, lane after lane, for ExecutorOptions::print, and returns
//   how many arguments it took; a conversion that C does not define is an error. __assertfail and
//   trap are errors that name the lane. malloc and free act lane after lane on the device memory.
// - %clock and %globaltimer are cycles and nanoseconds of the model, in the cycle of the issue;
//   without time both count the instructions this executor has executed in the launch. %smid is 0.
// - Textures and surfaces: see texture.h. There is one level: .level and .grad read it. The timing
//   model sees the texel at which a filtered fetch begins; surfaces are global memory to it.
// - sin, cos, ex2, lg2, tanh, rsqrt, sqrt, rcp and div with .approx or .full are evaluated in
//   double and rounded once to f32: at most 1 ulp from the true value, where hardware has up to
//   2^-20.5 (absolute, sin and cos) to 2 ulp; their bits need not be the hardware's. Everything
//   else has IEEE results.
//
// Errors of a run are InputErrors: file, line and column of the PTX instruction, kernel, source
// line, CTA, warp, lane, address. After one the launch cannot be continued; begin() starts afresh.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/models/transaction/model_time.h>
#include <fermata/models/transaction/warp_instruction.h>
#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/ptx/texture.h>

namespace fermata::ptx {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct Launch {
  const Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamicSharedBytes = 0;
  std::vector<std::uint8_t> parameters;  ///< exactly Kernel::parameterBytes() bytes
};

struct ExecutorOptions {
  bool carryData = false;           ///< fill WarpInstruction::data and ::before
  bool checkUninitialised = false;  ///< also needs DeviceMemory(true) for global memory
  bool allowStrayReads = false;     ///< see StrayReads; otherwise they are errors
  std::uint64_t instructionBudget = 10'000'000'000;  ///< warp instructions a launch
  /// Bytes a CTA may have: what it can address. What there is is for the platform to say.
  std::uint32_t sharedLimit = kWindowBytes;
  /// Local memory of a thread for functions that are called by their address or by themselves,
  /// beyond what the kernel and what is inlined have.
  std::uint32_t stackBytes = 64 * 1024;
  /// What kernels may have from malloc at a time; of more they get null.
  std::uint64_t heapBytes = 8 * 1024 * 1024;
  /// Takes what kernels print: the text of one thread's vprintf, in the order of the lanes. None:
  /// it is formatted, and so checked, all the same.
  std::function<void(std::string_view)> print;
};

/// Loads of global or constant memory outside of every allocation, as hardware may let pass. Each
/// byte that lies outside is zero. Stores and atomics outside stay errors.
struct StrayReads {
  std::uint64_t count = 0;  ///< loads of one lane
  std::string first;        ///< where and what: "file:line:column: ..."
};

class Executor {
 public:
  Executor(unsigned warpSlots, DeviceMemory& memory, ExecutorOptions options = {});
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Allocates and initialises the module's `.global` and `.const` variables in the device memory,
  /// once for each module; begin() does it when it was not done.
  void load(const Module& module);
  /// Before load(): a variable of the module lies in the host's `data`, which outlives the
  /// executor, and its device address is the host's. InputError when there is none of this name.
  void place(const Module& module, const std::string& name, void* data);
  /// Device address of a variable of a module (loads it when needed): where a host writes a
  /// constant array.
  std::uint64_t symbolAddress(const Module& module, const std::string& name);
  /// Binds a `.texref` of a module. InputError when there is no such name or the array is not in
  /// memory.
  void bindTexture(const Module& module, const std::string& name, const Texture& texture);
  /// A texture or surface without a name; the handle is what the kernel gets as a 64-bit parameter.
  /// InputError when the array is not within one allocation or cannot be read so.
  std::uint64_t createTexture(const Texture& texture);
  std::uint64_t createSurface(const Surface& surface);
  /// InputError when there is none of this handle.
  void destroyTexture(std::uint64_t handle);
  void destroySurface(std::uint64_t handle);

  /// From the next launch on; see ExecutorOptions.
  void setStackBytes(std::uint32_t bytes);
  void setHeapBytes(std::uint64_t bytes);
  /// Between launches; the warps of the last one are gone.
  void setWarpSlots(unsigned slots);
  /// What %clock says from now on; null: there is no time. It stays the caller's.
  void setTime(const ModelTime* time);

  /// Starts a launch. Checks block (1 to 1024 threads), grid, parameter bytes and shared bytes.
  void begin(const Launch& launch);
  /// CTA number `cta` = x + grid.x * (y + grid.y * z) in slots [firstSlot, firstSlot + warps of a
  /// CTA).
  void startCta(std::uint64_t cta, unsigned firstSlot);
  void endCta(unsigned firstSlot);
  /// The next instruction of the warp in this slot; nullptr when it has exited.
  const StaticInstruction* peek(unsigned slot) const;
  /// Executes it. Memory instructions with no active lane leave `address` alone.
  void execute(unsigned slot, WarpInstruction& out);

  // An atomic in parts: see Workload::beginAtomic, updateAtomic and lostRound.
  void beginAtomic(unsigned slot, WarpInstruction& out);
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out);
  void lostRound(unsigned slot);

  // Asynchronous copies: see Workload.
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const;
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out);
  std::uint64_t copyGroups(unsigned slot) const;

  const Launch& launch() const;
  unsigned warpsPerCta() const;
  unsigned warpSlots() const;
  std::uint64_t instructionsExecuted() const;  ///< in this launch
  std::uint64_t printfCalls() const;           ///< threads that called vprintf in this launch
  const StrayReads& strayReads() const;        ///< of all launches so far
  /// "kernel 'k', CTA (0,0,0), warp 1, at a.ptx:12 (bar.sync)": where the warp in this slot is.
  std::string describe(unsigned slot) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a whole grid without timing: one CTA after another, its warps stepped in turn, barriers
/// honoured. Where CTAs do not end for long they may wait for others: more of them are under way
/// then, up to as many as the executor has slots for. InputError names the warps when all that are
/// left wait at barriers that cannot complete. The executor needs at least as many slots as a CTA
/// has warps.
void runFunctionally(Executor& executor, const Launch& launch);

/// The same with all CTAs at once, as a cooperative launch needs, whose CTAs wait for each other:
/// each warp that can go on has a turn of some instructions, then the next. The executor has as
/// many slots as that takes while it runs. InputError when the grid has more than `mostCtas`.
void runInterleaved(Executor& executor, const Launch& launch, std::uint64_t mostCtas);

}  // namespace fermata::ptx
