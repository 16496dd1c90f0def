// State of an executor.
#pragma once

#include <memory>
#include <vector>

#include <fermata/stimuli/ptx/aligned_bytes.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/module_memory.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

struct Executor::State {
  State(unsigned slots, DeviceMemory& memory, const ExecutorOptions& options)
      : warpSlots(slots),
        warps(slots),
        ctas(slots),
        atomics(slots),
        ownModules(std::make_unique<ModuleMemory>(machine)),
        modules(*ownModules) {
    machine.memory = &memory;
    machine.options = options;
  }
  /// A state beside another one, which has the modules.
  State(State& other, unsigned slots)
      : warpSlots(slots),
        warps(slots),
        ctas(slots),
        atomics(slots),
        modules(other.modules),
        beside(&other) {
    machine.memory = other.machine.memory;
    takeOver();
  }

  /// Takes over what the state beside it has at present. Does nothing without one.
  void takeOver();

  void fillConstants();
  void prepareRows();
  std::uint64_t constantValue(const ConstantRow& row, unsigned lane) const;
  /// Executes the instructions of the warp that cost none of the machine, up to the next one.
  static void passFree(Warp& warp);
  void startWarp(Warp& warp, Cta& cta, unsigned index);
  void fillWarpRows(const Warp& warp) const;

  void resize(unsigned slots);
  void beginTurns();
  /// Lets compiled code execute the launch, if it may.
  void askForCode();
  std::uint64_t executed() const;
  Machine& addMachine(unsigned firstSlot, unsigned slots);
  void tellCrew(Machine& its);
  void joinMachines();

  Machine machine;
  /// By multiprocessor, while they run apart; by thread behind the first, while they share a
  /// launch; else empty.
  std::vector<std::unique_ptr<Machine>> apart;
  std::vector<StoreLog> logs;
  Crew crew;
  unsigned warpSlots;  ///< as set; there may be more
  std::vector<Warp> warps;
  std::vector<Cta> ctas;                     ///< by first slot
  std::vector<const Instruction*> atomics;   ///< by slot: the atomic begun last
  std::unique_ptr<ModuleMemory> ownModules;  ///< null: those of `beside`
  ModuleMemory& modules;
  State* beside = nullptr;
  AlignedBytes registers, constants;
  std::size_t registerStride = 0;
  std::size_t registerBytes = 0;  ///< size of `registers`
  std::vector<LaneMask> predicates;
  std::vector<std::unique_ptr<std::uint8_t[]>> local, localWritten;
  std::vector<std::size_t> unusedTextures, unusedSurfaces;  ///< indices that are free again
  std::uint64_t gridNumber = 0;
  std::unique_ptr<KernelCode> refusing;  ///< the launch's code, on a platform that lacks some of it
  bool compiles = false;                 ///< compiled code may execute the launch
  unsigned turn = 0;                     ///< see Executor::turn
};

}  // namespace fermata::ptx
