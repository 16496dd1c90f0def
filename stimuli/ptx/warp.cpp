#include <fermata/stimuli/ptx/warp.h>

#include <fermata/stimuli/ptx/warp_splits.h>

namespace fermata::ptx {

void reconverge(Warp& warp) {
  do {
    if (warp.paths.empty()) {
      warp.active = 0;
      return resumeAnother(warp);
    }
    const Path path = warp.paths.back();
    warp.paths.pop_back();
    warp.pc = path.pc;
    warp.reconverge = path.reconverge;
    warp.active = path.mask;
    warp.localTop = path.localTop;
    if (path.depth != warp.depth) enterFrame(warp, path.depth);
  } while (warp.active == 0 || warp.pc == warp.reconverge);
}

void enterFrame(Warp& warp, std::uint32_t depth) {
  warp.depth = depth;
  warp.base[0] = depth == 0 ? warp.entryRows : warp.frames[depth - 1].rows.get();
  warp.predicates = depth == 0 ? warp.entryPredicates : warp.frames[depth - 1].predicates.data();
}

void exitLanes(Warp& warp, LaneMask mask) {
  warp.alive &= ~mask;
  if (warp.alive == 0) ++warp.cta->exitedWarps;
  warp.active &= ~mask;
  for (Path& path : warp.paths) path.mask &= ~mask;
  if (warp.active == 0) reconverge(warp);
}

void executeAgain(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  warp.paths.push_back(pathAt(warp, warp.pc, warp.reconverge, warp.active));
  warp.reconverge = warp.pc;
  warp.pc = static_cast<std::uint32_t>(&instruction - warp.machine->code->instructions.data());
  warp.active = lanes;
}

std::string hexAddress(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

std::string describeWarp(const Warp& warp) {
  const Dim3& cta = warp.cta->index;
  return fmt::format("kernel '{}', CTA ({},{},{}), warp {}", warp.machine->code->name, cta.x, cta.y,
                     cta.z, warp.indexInCta);
}

Fault errorAt(const Warp& warp, const Instruction& instruction, std::int64_t lane,
              const std::string& what, FaultKind kind, std::optional<std::uint64_t> address) {
  const KernelCode& code = *warp.machine->code;
  const auto pc = static_cast<std::size_t>(&instruction - code.instructions.data());
  const CodeText& text = code.texts[pc];
  std::string message = fmt::format("{}; {} in {}", what, text.opcode, describeWarp(warp));
  if (lane >= 0) message += fmt::format(", lane {}", lane);
  const std::uint32_t line = text.line != 0 ? text.line : text.nearLine;
  if (text.file != code.fileName && line != 0) {
    message += fmt::format(", source {}{}:{}", text.line == 0 ? "about " : "", text.file, line);
  }
  const Dim3& cta = warp.cta->index;
  FaultPlace place;
  place.kernel = code.name;
  place.cta = {cta.x, cta.y, cta.z};
  place.warp = warp.indexInCta;
  place.lane = lane;
  place.address = address;
  if (text.file != code.fileName && line != 0) {
    place.file = text.file;
    place.line = line;
  }
  return Fault(kind, {code.fileName, text.ptxLine, text.ptxColumn}, message, std::move(place));
}

}  // namespace fermata::ptx
