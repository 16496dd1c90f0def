// The table of instructions: which decoder takes which mnemonic. What it does not name is regular:
// a row of the forms (forms.h) says its types, operands, class and operation.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

struct Entry {
  std::string_view mnemonics;  ///< parted by spaces
  std::string_view modifiers;  ///< one of these must be there; empty: any form
  void (*decode)(Decoding&);
};

// The first row that fits decodes.
constexpr Entry kEntries[] = {
    {"cvt", "tf32", &decodeToTf32},
    {"cvt", "e4m3x2 e5m2x2", &decodeFloat8},
    {"cvt", "e2m1x2 e2m3x2 e3m2x2 ue8m0x2", &decodeSmallFloat},
    {"cvt", "pack", &decodePackIntegers},
    {"min max", "f32", &decodeExtreme},
    {"redux", "f32", &decodeFloatReduction},
    {"dp4a dp2a", "", &decodeDotProduct},
    {"vadd vadd2 vadd4 vsub vsub2 vsub4 vabsdiff vabsdiff2 vabsdiff4", "", &decodeVideo},
    {"vmin vmin2 vmin4 vmax vmax2 vmax4 vavrg2 vavrg4 vset vset2 vset4", "", &decodeVideo},
    {"setp", "", &decodeSetp},
    {"set", "", &decodeSet},
    {"mov", "b128", &decodeWideMove},
    {"mov", "", &decodeMov},
    {"cvt", "", &decodeCvt},
    {"cvta", "", &decodeCvta},
    {"isspacep", "", &decodeIsSpace},
    {"mapa", "", &decodeMapAddress},
    {"getctarank", "", &decodeRankOf},
    {"and", "b32", &decodeAnd},
    {"ld st", "b128", &decodeWideAccess},
    {"ld ldu", "", &decodeLoad},
    {"st red", "async", &decodeAsyncStore},
    {"st", "bulk", &decodeBlockStore},
    {"st", "", &decodeStore},
    {"multimem", "", &decodeMulticastAccess},
    {"atom", "b128", &decodeWideAtomic},
    {"atom red", "", &decodeAtomic},
    {"discard applypriority", "", &decodeAdvice},
    {"prefetch prefetchu", "", &decodePrefetch},
    {"membar fence", "", &decodeFence},
    {"cp", "", &decodeCp},
    {"tensormap", "", &decodeTensorMap},
    {"mbarrier", "", &decodeMBarrier},
    {"createpolicy", "", &decodePolicy},
    {"clusterlaunchcontrol", "", &decodeClusterLaunch},
    {"tex", "", &decodeTexture},
    {"tld4", "", &decodeGather},
    {"txq suq", "", &decodeQuery},
    {"suld sust", "", &decodeSurface},
    {"ldmatrix stmatrix", "", &decodeMatrixMemory},
    {"movmatrix", "", &decodeMoveMatrix},
    {"mma", "kind::f8f6f4 kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4", &decodeScaledProduct},
    {"mma", "", &decodeMma},
    {"wmma", "mma", &decodeWmmaProduct},
    {"wmma", "", &decodeWmmaAccess},
    {"wgmma", "", &decodeWgmma},
    {"tcgen05", "", &decodeTcgen05},
    {"bra", "", &decodeBranch},
    {"brx", "", &decodeIndexedBranch},
    {"ret exit", "", &decodeReturn},
    {"trap brkpt", "", &decodeTrap},
    {"nanosleep", "", &decodeSleep},
    {"pmevent", "", &decodeEvent},
    {"bar barrier", "", &decodeBarrier},
    {"elect", "", &decodeElect},
    {"wave64", "", &decodeWave64},
    {"griddepcontrol", "", &decodeDependentGrids},
    {"setmaxnreg", "", &decodeRegisterCount},
};

/// Calls f with each of the names.
template <class F>
void eachOf(std::string_view names, F f) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    f(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

/// Returns the rows of a mnemonic.
const std::vector<const Entry*>& entriesOf(std::string_view mnemonic) {
  using Table = std::unordered_map<std::string_view, std::vector<const Entry*>>;
  static const Table kTable = [] {
    Table table;
    for (const Entry& entry : kEntries)
      eachOf(entry.mnemonics, [&](std::string_view name) { table[name].push_back(&entry); });
    return table;
  }();
  static const std::vector<const Entry*> kNone;
  const auto found = kTable.find(mnemonic);
  return found != kTable.end() ? found->second : kNone;
}

bool fits(const Entry& entry, const Decoding& d) {
  bool fits = entry.modifiers.empty();
  eachOf(entry.modifiers, [&](std::string_view name) { fits = fits || d.has(name); });
  return fits;
}

}  // namespace

void decodeStatement(Decoding& d) {
  for (const Entry* entry : entriesOf(d.mnemonic())) {
    if (fits(*entry, d)) return entry->decode(d);
  }
  if (formsOf(d.mnemonic()).empty())
    d.fail(d.statement().at, "unsupported instruction '{}'", d.statement().opcode);
  decodeRegular(d, d.takeType());
}

}  // namespace fermata::ptx
