// Special registers, and the rows that hold them.
#include <algorithm>
#include <iterator>
#include <variant>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {
namespace {

using Kind = ConstantRow::Kind;
struct Clock {};  ///< only a mov reads it
struct SpecialRegister {
  std::string_view name;
  std::variant<Clock, Kind, WarpRow, unsigned> value;  ///< a number: the same in all launches
};
constexpr SpecialRegister kRegisters[] = {
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
    {"%nclusterid.x", Kind::NclusteridX},
    {"%nclusterid.y", Kind::NclusteridY},
    {"%nclusterid.z", Kind::NclusteridZ},
    {"%nwarpid", Kind::Nwarpid},
    {"%dynamic_smem_size", Kind::DynamicSharedBytes},
    {"%total_smem_size", Kind::TotalSharedBytes},
    {"%gridid", Kind::GridId},
    {"%tid.x", WarpRow::TidX},
    {"%tid.y", WarpRow::TidY},
    {"%tid.z", WarpRow::TidZ},
    {"%ctaid.x", WarpRow::CtaidX},
    {"%ctaid.y", WarpRow::CtaidY},
    {"%ctaid.z", WarpRow::CtaidZ},
    {"%warpid", WarpRow::WarpId},
    {"%clusterid.x", WarpRow::ClusteridX},
    {"%clusterid.y", WarpRow::ClusteridY},
    {"%clusterid.z", WarpRow::ClusteridZ},
    {"%smid", WarpRow::SmId},
    {"%nsmid", WarpRow::NsmId},
    {"%tid.w", 0U},
    {"%ctaid.w", 0U},
    {"%cluster_ctaid.x", WarpRow::ClusterCtaidX},
    {"%cluster_ctaid.y", WarpRow::ClusterCtaidY},
    {"%cluster_ctaid.z", WarpRow::ClusterCtaidZ},
    {"%cluster_nctaid.x", Kind::ClusterNctaidX},
    {"%cluster_nctaid.y", Kind::ClusterNctaidY},
    {"%cluster_nctaid.z", Kind::ClusterNctaidZ},
    {"%cluster_ctarank", WarpRow::ClusterCtarank},
    {"%cluster_nctarank", Kind::ClusterNctarank},
    {"%is_explicit_cluster", Clock{}},
    {"%clock", Clock{}},
    {"%clock_hi", Clock{}},
    {"%clock64", Clock{}},
    {"%globaltimer", Clock{}},
    {"%globaltimer_lo", Clock{}},
    {"%globaltimer_hi", Clock{}},
};

const SpecialRegister* findNamed(std::string_view name) {
  return std::find_if(std::begin(kRegisters), std::end(kRegisters),
                      [&](const SpecialRegister& each) { return each.name == name; });
}

}  // namespace

bool isSpecialRegister(std::string_view name) {
  return findNamed(name) != std::end(kRegisters);
}

Row Decoding::special(const Operand& operand, Type wanted) {
  const auto& value = findNamed(operand.name)->value;
  if (std::holds_alternative<Clock>(value))
    fail(operand.at, "'{}' as an operand; expected it in a mov", operand.name);
  const bool wide = operand.name == "%gridid" && bytesOf(wanted) == 8;
  // Special registers had 16 bits in PTX 1.x, and may still be read so (PTX ISA, special
  // registers).
  const bool narrow = bytesOf(wanted) == 2;
  if (isFloat(wanted) || (bytesOf(wanted) != 4 && !narrow && !wide)) wrongType(operand, wanted);
  if (const Kind* kind = std::get_if<Kind>(&value)) return builder_.constant(*kind, wide);
  if (const WarpRow* row = std::get_if<WarpRow>(&value)) return builder_.warpRow(*row);
  return builder_.constant(std::uint64_t{std::get<unsigned>(value)}, false);
}

}  // namespace fermata::ptx
