// Finds lines near instructions to which compilers gave line 0 because they moved or merged them:
// the load of a three-tap stencil that two paths share, for instance. The near line is the last
// line that is sure to come before the instruction.
#include <algorithm>
#include <optional>
#include <vector>

#include <fermata/stimuli/ptx/basic_blocks.h>

namespace fermata::ptx {
namespace {

constexpr std::uint32_t kNoPc = 0xffffffffU;

/// True if the instruction has a source line by .loc. Lines of the PTX file are not near lines of a
/// source.
bool hasSourceLine(const KernelCode& code, const CodeText& text) {
  return text.line != 0 && text.file != code.fileName;
}

}  // namespace

void findNearLines(KernelCode& code, CodeRange range) {
  const auto first = code.texts.begin() + range.first;
  const auto end = code.texts.begin() + range.end;
  if (std::none_of(first, end, [](const CodeText& text) { return text.line == 0; })) return;
  const BasicBlocks blocks = basicBlocks(code, range);
  const std::vector<std::uint32_t> dominator = immediateDominators(0, blocks.next);
  std::vector<std::uint32_t> last(blocks.first.size(), kNoPc);  // by block: last PC with a line
  for (std::uint32_t pc = range.first; pc < range.end; ++pc) {
    if (hasSourceLine(code, code.texts[pc])) last[blocks.ofPc[pc - range.first]] = pc;
  }
  std::vector<std::optional<std::uint32_t>> found(blocks.first.size());  // by block: before()
  std::vector<std::uint32_t> way;
  // Returns the last PC with a line in the blocks that dominate this one.
  const auto before = [&](std::uint32_t block) {
    way.clear();
    while (!found[block]) {
      const std::uint32_t above = dominator[block];
      if (block == 0 || above == kNoBlock) {
        found[block] = kNoPc;
      } else if (last[above] != kNoPc) {
        found[block] = last[above];
      } else {
        way.push_back(block);
        block = above;
      }
    }
    for (const std::uint32_t passed : way) found[passed] = found[block];
    return *found[block];
  };
  for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
    std::uint32_t near = before(block);
    for (std::uint32_t pc = blocks.first[block]; pc < blocks.first[block + 1]; ++pc) {
      CodeText& text = code.texts[pc];
      if (hasSourceLine(code, text)) near = pc;
      if (text.line != 0 || near == kNoPc) continue;
      text.file = code.texts[near].file;
      text.nearLine = code.texts[near].line;
    }
  }
}

}  // namespace fermata::ptx
