// Arithmetic and conversions rounded towards zero, down or up: the handler that rounds to nearest
// runs while the processor's rounding mode is set. That gives IEEE results for +, -, *, /, fma,
// square root and conversions. The handler is called by its address and works on rows in memory, so
// no operation moves out of the mode.
#include <cfenv>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

void executeDirected(Warp& warp, const Instruction& i, LaneMask mask) {
  // Order of Rounding.
  constexpr int kModes[] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const int before = std::fegetround();
  std::fesetround(kModes[static_cast<std::size_t>(i.rounding)]);
  i.inner(warp, i, mask);
  std::fesetround(before);
}

}  // namespace

void roundTo(Instruction& i, Rounding rounding) {
  i.inner = i.handler;
  i.handler = &executeDirected;
  i.rounding = rounding;
}

}  // namespace fermata::ptx
