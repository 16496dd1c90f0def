#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/multiversion.h>

namespace fermata::ptx {

#define FERMATA_DECLARE_LANES(instructionSet)                                              \
  namespace instructionSet {                                                               \
  const Form* integerForm(std::size_t k);                                                  \
  const Form* floatForm(std::size_t k);                                                    \
  Handler compareHandlerFor(Compare compare, CompareResult result, Type type, bool flush); \
  Handler convertHandler(Type to, Type from, Rounding rounding, bool saturate);            \
  Handler loadHandler(MemorySpace space, Type type);                                       \
  Handler storeHandler(MemorySpace space, Type type);                                      \
  constexpr LaneTable kTable = {&integerForm,    &floatForm,   &compareHandlerFor,         \
                                &convertHandler, &loadHandler, &storeHandler};             \
  }

FERMATA_DECLARE_LANES(portable)
#if FERMATA_FAST_LANES
FERMATA_DECLARE_LANES(avx2)
#endif

const LaneTable& portableLaneTable() {
  return portable::kTable;
}

const LaneTable* fastLaneTable() {
#if FERMATA_FAST_LANES
  static const bool kHas = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                           __builtin_cpu_supports("popcnt");
  return kHas ? &avx2::kTable : nullptr;
#else
  return nullptr;
#endif
}

const LaneTable& laneTable() {
  const LaneTable* fast = fastLaneTable();
  return fast != nullptr ? *fast : portableLaneTable();
}

}  // namespace fermata::ptx
