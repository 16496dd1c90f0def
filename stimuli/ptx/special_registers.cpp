// Special registers, and the rows that hold them.
#include <algorithm>
#include <array>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {
namespace {

using Kind = ConstantRow::Kind;

struct OfLaunch {
  std::string_view name;
  Kind kind;
};
constexpr std::array<OfLaunch, 19> kOfLaunch = {{
    {"%laneid", Kind::LaneId},
    {"%lanemask_eq", Kind::LaneMaskEq},
    {"%lanemask_le", Kind::LaneMaskLe},
    {"%lanemask_lt", Kind::LaneMaskLt},
    {"%lanemask_ge", Kind::LaneMaskGe},
    {"%lanemask_gt", Kind::LaneMaskGt},
    {"%ntid.x", Kind::NtidX},
    {"%ntid.y", Kind::NtidY},
    {"%ntid.z", Kind::NtidZ},
    {"%nctaid.x", Kind::NctaidX},
    {"%nctaid.y", Kind::NctaidY},
    {"%nctaid.z", Kind::NctaidZ},
    {"%nclusterid.x", Kind::NctaidX},
    {"%nclusterid.y", Kind::NctaidY},
    {"%nclusterid.z", Kind::NctaidZ},
    {"%nwarpid", Kind::Nwarpid},
    {"%dynamic_smem_size", Kind::DynamicSharedBytes},
    {"%total_smem_size", Kind::TotalSharedBytes},
    {"%gridid", Kind::GridId},
}};

struct OfWarp {
  std::string_view name;
  WarpRow row;
};
constexpr std::array<OfWarp, kWarpRows + 3> kOfWarp = {{
    {"%tid.x", WarpRow::TidX},
    {"%tid.y", WarpRow::TidY},
    {"%tid.z", WarpRow::TidZ},
    {"%ctaid.x", WarpRow::CtaidX},
    {"%ctaid.y", WarpRow::CtaidY},
    {"%ctaid.z", WarpRow::CtaidZ},
    {"%warpid", WarpRow::WarpId},
    {"%clusterid.x", WarpRow::CtaidX},
    {"%clusterid.y", WarpRow::CtaidY},
    {"%clusterid.z", WarpRow::CtaidZ},
}};

struct Fixed {
  std::string_view name;
  std::uint64_t value;
};
/// Special registers with a constant value: there is one SM, and a cluster is one CTA.
constexpr std::array<Fixed, 12> kFixed = {{{"%smid", 0},
                                           {"%nsmid", 1},
                                           {"%tid.w", 0},
                                           {"%ctaid.w", 0},
                                           {"%cluster_ctaid.x", 0},
                                           {"%cluster_ctaid.y", 0},
                                           {"%cluster_ctaid.z", 0},
                                           {"%cluster_nctaid.x", 1},
                                           {"%cluster_nctaid.y", 1},
                                           {"%cluster_nctaid.z", 1},
                                           {"%cluster_ctarank", 0},
                                           {"%cluster_nctarank", 1}}};
constexpr std::array<std::string_view, 6> kClocks = {
    "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};

template <class Table>
auto findNamed(const Table& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& entry) { return entry.name == name; });
}

bool isClock(std::string_view name) {
  return std::find(kClocks.begin(), kClocks.end(), name) != kClocks.end();
}

}  // namespace

bool isSpecialRegister(std::string_view name) {
  return findNamed(kOfLaunch, name) != kOfLaunch.end() ||
         findNamed(kOfWarp, name) != kOfWarp.end() || findNamed(kFixed, name) != kFixed.end() ||
         isClock(name);
}

Row Decoding::special(const Operand& operand, Type wanted) {
  if (isClock(operand.name))
    fail(operand.at, "'{}' as an operand; expected it in a mov", operand.name);
  const bool wide = operand.name == "%gridid" && bytesOf(wanted) == 8;
  // Special registers had 16 bits in PTX 1.x, and may still be read so (PTX ISA, special
  // registers).
  const bool narrow = bytesOf(wanted) == 2;
  if (isFloat(wanted) || (bytesOf(wanted) != 4 && !narrow && !wide)) wrongType(operand, wanted);
  if (const auto found = findNamed(kOfLaunch, operand.name); found != kOfLaunch.end())
    return builder_.constant(found->kind, wide);
  if (const auto found = findNamed(kOfWarp, operand.name); found != kOfWarp.end())
    return builder_.warpRow(found->row);
  return builder_.constant(findNamed(kFixed, operand.name)->value, false);
}

}  // namespace fermata::ptx
