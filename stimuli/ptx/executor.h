// SIMT execution of decoded PTX: many warps in warp slots. The owner of the time steps each warp.
//
// Semantics in short
// - Divergence: a stack of masks. Paths join at the immediate post-dominator of the branch. The
//   taken path runs first, unless it alone leads to a barrier and the paths meet at most to exit:
//   then lanes that return early have exited before the barrier. Lanes that wait in a loop for a
//   lane of the same warp let that lane go on (warp_splits.h). An endless wait is an error once the
//   instruction budget runs out.
// - Atomics act lane after lane in rising order. If several lanes store to one address, the highest
//   lane wins.
// - Shared memory, registers and local memory are zero when a CTA starts (hardware promises
//   nothing). With checkUninitialised, a read of a byte of shared, local or global memory that was
//   never written is an error.
// - A generic access with lanes in two spaces is two accesses: the warp executes the instruction
//   for the space of its first lane, then again for the other lanes.
// - Warp-wide instructions (.sync) join the lanes that execute them together and name the same
//   members. Members that do not execute it (exited, or on another path) are left out; a shfl from
//   such a member gives 0. Members that wait apart in a loop are waited for. A lane outside its own
//   member mask is an error.
// - Functions called by name are inlined. A function that is called by its address, or that calls
//   itself directly or through others, gets a frame of its own. Lanes that call different functions
//   part, and meet behind the call. A call takes at least 16 bytes of the stack.
// - Clusters: cluster.h of models/vocabulary says how an address names another CTA of the cluster.
//   mapa gives such addresses, for the executing CTA, too. An address without a rank means the CTA
//   that uses it. An access to a CTA that has exited is an error. st.async is a copy from
//   registers; red.async acts at once.
// - A barrier that a warp executes while some of its threads, not yet exited, are elsewhere is an
//   error (barrier divergence). Threads that have only their exit before them count as exited. A
//   predicated-off barrier is not executed.
// - Groups of cp.async belong to the warp: lanes that commit apart close one group each time. A
//   wait for all but N groups waits for all but the warp's last N, never for less than the lane
//   asks. The source is read when the copy executes. The data are in shared memory when storeCopy()
//   puts them there, and without time when the warp waits for their group. Without time, a copy
//   that nobody waits for is dropped with its CTA.
// - Integer division by zero gives all ones; the remainder by zero gives the dividend; the most
//   negative number divided by -1 gives itself, remainder 0.
// - vprintf formats like C's printf, lane after lane, for ExecutorOptions::print, and returns how
//   many arguments it took. A conversion that C does not define is an error. __assertfail and trap
//   are errors that name the lane. malloc and free act lane after lane on the device memory.
// - %clock and %globaltimer are cycles and nanoseconds of the model, in the cycle of the issue.
//   Without time both count the instructions executed in the launch, and %smid is 0.
// - Textures and surfaces: see texture.h. There is one level: .level and .grad read it. The timing
//   model sees the texel at which a filtered fetch begins, and surfaces as global memory.
// - sin, cos, ex2, lg2, tanh, rsqrt, sqrt, rcp and div with .approx or .full are evaluated in
//   double and rounded once to f32: at most 1 ulp from the true value. Hardware has up to 2^-20.5
//   (absolute, sin and cos) to 2 ulp, so bits may differ from the hardware's. All other operations
//   have IEEE results.
//
// Errors of a run are InputErrors: file, line and column of the PTX instruction, kernel, source
// line, CTA, warp, lane, address. After an error the launch cannot be continued; begin() starts
// afresh.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/models/vocabulary/grid.h>
#include <fermata/models/vocabulary/machine_level.h>
#include <fermata/models/vocabulary/model_state.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/device_memory.h>
#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/ptx/texture.h>

namespace fermata::ptx {

class KernelCompiler;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct Launch {
  const Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamicSharedBytes = 0;
  std::int32_t carveout = kNoCarveout;   ///< as Grid::carveout
  std::vector<std::uint8_t> parameters;  ///< exactly Kernel::parameterBytes() bytes
  std::optional<Dim3> cluster{};         ///< CTAs of a cluster; none: as the kernel says
};

class DeviceLaunches;

struct ExecutorOptions {
  /// Instructions that peek() and execute() go through. PCs are those of the machine code if it is
  /// Sass (machine_code.h).
  MachineLevel code = MachineLevel::Ptx;
  bool carryData = false;                            ///< fill WarpInstruction::data and ::before
  bool checkUninitialised = false;                   ///< global memory: needs DeviceMemory(true)
  bool allowStrayReads = false;                      ///< see StrayReads; false: they are errors
  std::uint64_t instructionBudget = 10'000'000'000;  ///< warp instructions per launch
  /// Threads that execute the CTAs of a launch that runs without time. With more than 1, what
  /// atomics of different CTAs return depends on how far the threads are, as does the order in
  /// which such atomics add floats.
  unsigned jobs = 1;
  /// Bytes of shared memory that a CTA may have. The default is all that it can address; the
  /// platform sets its own limit.
  std::uint32_t sharedLimit = kWindowBytes;
  /// Bytes of local memory per thread for functions called by their address or by themselves, in
  /// addition to the local memory of the kernel and of inlined functions.
  std::uint32_t stackBytes = 64 * 1024;
  /// Bytes that kernels may hold from malloc at a time; beyond them malloc returns null.
  std::uint64_t heapBytes = 8 * 1024 * 1024;
  /// Receives the text that kernels print: the text of one thread's vprintf per call, in the order
  /// of the lanes. If empty, the text is still formatted, and so checked.
  std::function<void(std::string_view)> print;
  /// Takes the launches that kernels make (device_launches.h); null: such a call is an error.
  std::shared_ptr<DeviceLaunches> launches;
  /// Compiles kernels for launches that run without time; null: none. Not owned.
  KernelCompiler* compiler = nullptr;
  /// Compute capability of the platform, in tenths: 89. A kernel that comes to an instruction which
  /// such a GPU lacks is refused there (needed_capability.h). Below 70: every instruction runs.
  unsigned capability = 0;
};

/// Loads of global or constant memory outside of every allocation, which hardware may let pass.
/// Each byte outside reads as zero. Stores and atomics outside stay errors.
struct StrayReads {
  std::uint64_t count = 0;  ///< loads, counted per lane
  std::string first;        ///< the first of them: "file:line:column: ..."
};

class Executor {
 public:
  Executor(unsigned warpSlots, DeviceMemory& memory, ExecutorOptions options = {});
  /// Makes an executor beside `other`, in the same memory and with the same variables, textures and
  /// options, for a launch that runs at the same time. `other` must outlive it. Its launches cannot
  /// make launches, and have a heap of their own.
  Executor(Executor& other, unsigned warpSlots);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Allocates and initialises the module's `.global` and `.const` variables in the device memory,
  /// once per module. begin() calls it if needed.
  void load(const Module& module);
  /// Places a variable of the module in the host's `data`; its device address is the host's. Call
  /// it before load(). `data` must outlive the executor. Throws InputError if there is no such
  /// variable.
  void place(const Module& module, const std::string& name, void* data);
  /// Returns the device address of a variable, to which a host writes a constant array. Loads the
  /// module if needed.
  std::uint64_t symbolAddress(const Module& module, const std::string& name);
  /// Binds a `.texref` of a module. Throws InputError if there is no such name or the array is not
  /// in device memory.
  void bindTexture(const Module& module, const std::string& name, const Texture& texture);
  /// Creates a texture or surface without a name, and returns the handle that the kernel gets as a
  /// 64-bit parameter. Throws InputError if the array is not within one allocation or cannot be
  /// read as described.
  std::uint64_t createTexture(const Texture& texture);
  std::uint64_t createSurface(const Surface& surface);
  /// Destroys a texture or surface. Throws InputError if the handle names none.
  void destroyTexture(std::uint64_t handle);
  void destroySurface(std::uint64_t handle);

  /// Sets the option of the same name from the next launch on; see ExecutorOptions.
  void setStackBytes(std::uint32_t bytes);
  void setHeapBytes(std::uint64_t bytes);
  /// Sets the number of warp slots. Call it between launches; the warps of the last launch are
  /// lost.
  void setWarpSlots(unsigned slots);
  /// Has at least so many warp slots until makeRoom(0). %nwarpid stays. Call it between launches.
  void makeRoom(unsigned slots);
  /// Sets the clock and the place that kernels read; null (the default): no time. Not owned.
  void setModel(const ModelState* model);

  /// Starts a launch. Throws InputError if the block (1 to 1024 threads), the grid, the parameter
  /// bytes or the shared bytes are wrong. `unseen`: it runs without time, and nobody looks at its
  /// accesses. Its instructions are those of PTX, and compiled code may execute them.
  void begin(const Launch& launch, bool unseen = false);
  /// Sets, for the launch that has begun, who gives away clusters that have not started: the call
  /// returns the number of one, as startCta() counts them, which will not start; kNoCluster: none
  /// is left. Without it no cluster is given away.
  void giveClusters(std::function<std::uint64_t()> take);
  static constexpr std::uint64_t kNoCluster = ~std::uint64_t{0};
  /// Starts CTA `cta` = x + grid.x * (y + grid.y * z) in slots [firstSlot, firstSlot + warps of a
  /// CTA). With clusters, CTA `cta` is that of rank cta % ctasPerCluster() in cluster
  /// cta / ctasPerCluster(), counted as CTAs are; the CTAs of a cluster start one behind the other,
  /// from rank 0 on.
  void startCta(std::uint64_t cta, unsigned firstSlot);
  void endCta(unsigned firstSlot);
  /// Returns the next instruction of the warp in this slot, or nullptr if the warp has exited.
  const StaticInstruction* peek(unsigned slot) const;
  /// True if there is compiled code for the launch.
  bool hasCode() const;
  /// Executes up to `most` instructions by compiled code, and returns how many. 0: execute() must
  /// execute the next one. Precondition: hasCode().
  unsigned executeCompiled(unsigned slot, unsigned most);
  /// Tells the compiler, if there is one, how many instructions ran without code.
  void executedWithoutCode(unsigned instructions);
  /// Returns how many instructions a warp executes in one turn, where warps run in turn.
  unsigned turn() const;
  /// Executes the next instruction of the warp. A memory instruction with no active lane leaves
  /// `out.address` alone.
  void execute(unsigned slot, WarpInstruction& out);

  /// True if runApart() allows it for launches of the kernel.
  bool mayRunApart(const Kernel& kernel) const;
  /// Lets multiprocessors execute the launch that has begun on threads of their own, before its
  /// first CTA: see Workload::runApart. Returns false if the kernel or an option does not allow it.
  bool runApart(unsigned multiprocessors, unsigned slots);
  void exchange();

  /// Lets `threads` threads execute CTAs of the launch that has begun at once: thread i those whose
  /// slots lie in [i * slots, (i + 1) * slots). CTAs that have begun go on in thread 0. Each thread
  /// sees at once what another stores; atomics are atomic. Returns false if the kernel or an option
  /// does not allow it: one thread then executes all.
  bool share(unsigned threads, unsigned slots);

  /// Sets whether griddepcontrol.wait waits, in the launch that has begun: a launch that it may
  /// follow early is not over. A launch begins without.
  void setAwaitsGrids(bool awaits);
  /// Returns how many CTAs of the launch have let dependent launches begin, or have ended.
  std::uint64_t signalledCtas() const;

  // Parts of an atomic: see Workload::beginAtomic, updateAtomic and lostRound.
  void beginAtomic(unsigned slot, WarpInstruction& out);
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out);
  void lostRound(unsigned slot);

  /// See Workload.
  std::uint64_t sleep(unsigned slot) const;

  // Asynchronous copies: see Workload.
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const;
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out);
  std::uint64_t copyGroups(unsigned slot) const;

  const Launch& launch() const;
  MachineLevel code() const;
  unsigned warpsPerCta() const;
  unsigned ctasPerCluster() const;
  unsigned warpSlots() const;                  ///< as set
  unsigned roomForWarps() const;               ///< with those of makeRoom()
  std::uint64_t instructionsExecuted() const;  ///< in this launch
  /// Returns the instructions of the launch that the thread of this slot has executed.
  std::uint64_t instructionsExecuted(unsigned slot) const;
  unsigned jobs() const;                 ///< ExecutorOptions::jobs
  std::uint64_t printfCalls() const;     ///< threads that called vprintf in this launch
  const StrayReads& strayReads() const;  ///< over all launches so far
  /// Describes where the warp in this slot is: "kernel 'k', CTA (0,0,0), warp 1, at a.ptx:12
  /// (bar.sync)".
  std::string describe(unsigned slot) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a whole grid without timing: one CTA after another, warps stepped in turn, barriers
/// honoured. If CTAs do not end for long they may wait for others; more of them then run at once,
/// up to as many as the executor has slots for. A long launch is shared among ExecutorOptions::jobs
/// threads. The CTAs of a cluster run at once, in one thread. Throws InputError, with the names of
/// the warps, if all that are left wait at barriers that cannot complete. The executor needs at
/// least as many slots as a CTA has warps.
void runFunctionally(Executor& executor, const Launch& launch);

/// Runs a whole grid without timing, all CTAs at once, for cooperative launches whose CTAs wait for
/// each other. Each warp that can go on has a turn of some instructions, then the next warp. The
/// executor has as many slots as that takes while it runs. Throws InputError if the grid has more
/// than `mostCtas` CTAs.
void runInterleaved(Executor& executor, const Launch& launch, std::uint64_t mostCtas);

}  // namespace fermata::ptx
