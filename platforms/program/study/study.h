// A study: a table or figure of a paper, or a what-if, as its file defines it. The format is in
// results/studies/README.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/search/search.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

using Parameters = std::map<std::string, std::string>;

/// A row of the study's table.
struct StudyWorkload {
  std::string label;
  std::string name;       ///< in the form of `fermata run`
  Parameters parameters;  ///< of the run
  Parameters trained;     ///< for the searches; empty: `parameters`
  std::vector<Parameters>
      runs;  ///< one run for each, added to `parameters`; figures are averaged; empty: one run
  std::string platform;  ///< never empty
  SourceLocation where;
};

/// Source of a variant's mapping.
struct SearchChoice {
  search::MappingClass mappingClass{};
  search::Method method{};
};

/// Parses "pairs.minimum-imbalance", the words of `fermata search`. Throws InputError at `where`.
SearchChoice parseSearchChoice(const std::string& text, const SourceLocation& where);

/// A column of the study's table.
struct StudyVariant {
  std::string label;
  std::string mapping;                 ///< mapping text; empty: from `search`, else the platform's
  std::optional<SearchChoice> search;  ///< search for each workload's mapping
  std::uint32_t regions = 1;           ///< most regions of the memory with a mapping each
  bool byInstruction = false;          ///< `search` judges a mapping for each instruction alone
  std::optional<SearchChoice> lockSearch;  ///< search for each workload's mapping of the locks
  bool software = false;                   ///< the kernel computes the mapping
  Parameters parameters;                   ///< for workloads; override their own
  std::vector<std::string> workloads;      ///< labels of workloads that have it; empty: all
  std::vector<std::string> sets;           ///< "path=value"
  bool swept = false;                      ///< one of a sweep
  double less = 0;                         ///< cycles of a run that do not count
  std::size_t baseline = 0;                ///< index of the variant that its measures refer to
  SourceLocation where;
};

enum class Measure : std::uint8_t {
  ConflictsRemoved,   ///< percent of the baseline's conflicts
  Speedup,            ///< cycles of the baseline / cycles
  Slowdown,           ///< percent of cycles more than the baseline
  InstructionsAdded,  ///< percent of warp instructions more than the baseline
  Conflicts,          ///< absolute number
  Wavefronts,         ///< passes over the banks, absolute number
  Cycles,
  Time,                 ///< cycles / cycles of the first workload under the same variant
  RelativeTime,         ///< cycles / cycles of the baseline
  ConflictFree,         ///< 1: no conflict is left; 0: some are
  AllConflictsRemoved,  ///< percent, over scratchpad and L1
  MemoryIntensity,      ///< percent of warp instructions that access memory
  ScratchpadIntensity,  ///< percent of warp instructions that access the scratchpad
  L1Intensity,  ///< percent of warp instructions that access global, local or texture memory
  Bcpki,        ///< conflicts per 1000 warp instructions, scratchpad and L1
  BcpkiScratchpad,
  BcpkiL1,
  Rpki,             ///< replays and squashes per 1000 warp instructions
  ReplaysRemoved,   ///< percent of the baseline's replays
  Issued,           ///< issue slots used, percent of the baseline's
  IssuedRemoved,    ///< 100 - Issued
  CyclesPerAccess,  ///< cycles / accesses to shared and global memory
  CyclesPerWay,     ///< extra cycles per access over the first workload / extra degree
  VectorBroadcast,  ///< percent of accesses, as the next three: see models/probe/sharing.h
  WarpBroadcast,
  LaneBroadcast,
  ScatterGather,
  CyclesAdded,   ///< cycles beyond the baseline's
  MaxDegree,     ///< passes of the worst access
  AtomicRounds,  ///< table column of this name, as the next four
  LockTries,
  LockFailuresPosition,
  LockFailuresAlias,
  LockFailuresOtherWarp,
  Improvement,    ///< percent of performance beyond the baseline: 100 (Speedup - 1)
  Stalls,         ///< cycles without an issue of a pipeline of stages, for the next three causes
  StallsRemoved,  ///< percent of the baseline's stalls
  StallBankConflict,  ///< percent of the baseline's stalls, as the next two
  StallScheduleFail,
  StallWriteback,
  SubwarpDegree,              ///< passes / ideal passes
  ThreadScratchpadIntensity,  ///< as ScratchpadIntensity, but counting threads
  /// Speedup without stalls if only bank conflicts kept a pipeline of stages from issuing.
  TheoreticSpeedup,
  ThreadInstructions,
  ThreadAccesses,    ///< shared accesses, counted by threads
  HistoryWrong,      ///< wrong predictions, percent of the accesses with predicted conflicts
  CyclesPerFurther,  ///< cycles beyond the baseline's / accesses beyond the baseline's
  BytesPerCycle,     ///< bytes of global accesses / cycle, of both beyond the baseline's
  BytesPerTime,      ///< as BytesPerCycle, in GB/s at the platform's clock
  // Energy measures (study_energy.h): only for studies with prices.
  Energy,  ///< nJ
  EnergyLow,
  EnergyHigh,
  EnergySaved,               ///< percent of the baseline's energy
  EnergyDelay,               ///< nJ us
  EnergyDelaySaved,          ///< percent of the baseline's energy-delay
  EnergyPerWarpInstruction,  ///< pJ
  AveragePower,              ///< mW; the next ten are in mW too, without leakage and clocks
  IndexerPower,
  IndexerPowerLow,
  IndexerPowerHigh,
  CrossbarPower,
  CrossbarPowerLow,
  CrossbarPowerHigh,
  BankPower,
  BankPowerLow,
  BankPowerHigh,
  RegisterPower,
  ReplayEnergy,     ///< percent of all energy
  IndexerActivity,  ///< words given a bank, percent of lanes times cycles
};
inline constexpr unsigned kMeasures = 69;
constexpr bool isOfEnergy(Measure measure) {
  return measure >= Measure::Energy && measure <= Measure::IndexerActivity;
}
enum class Summary : std::uint8_t { Mean, GeometricMean, Largest, Smallest, Sum };

const char* name(Measure measure);
/// Returns the unit of a measure of percent or of ratios; "" for others.
const char* unit(Measure measure);
/// Parses the name of a measure. Throws InputError at `where` for an unknown one.
Measure parseMeasure(const std::string& text, const SourceLocation& where);

/// Value of Selection::variant for the variant of a sweep with the largest figure.
inline constexpr const char* kBestOfSweep = "best of the sweep";

/// Selects the cells that form a figure of a study.
struct Selection {
  std::string variant;                 ///< label
  std::string platform;                ///< of the workloads included; empty: all
  std::vector<std::string> workloads;  ///< labels of the workloads included; empty: all
  Measure measure = Measure::ConflictsRemoved;
  Summary summary = Summary::Mean;
  /// If set: the figure is this parameter's value in the workload with the largest or smallest
  /// figure.
  std::string parameter;
};

/// A published figure and the selection that forms ours.
struct Comparison : Selection {
  std::string claim;      ///< id in claims.csv; empty: `published` and `place` are in the study
  std::size_t part = 0;   ///< which of the claim's numbers, from 1; 0: its only one
  std::string subject;    ///< quantity compared; empty: the claim's
  std::string published;  ///< digits as printed, only without a claim; empty: none
  /// Value that a formula of the source gives with the model's own constants: shown, but not
  /// compared. Only without a published figure.
  std::optional<double> formula;
  std::string place;
  std::string unit;
  std::string headline;  ///< its name among the headlines of all studies; empty: none of them
  double times = 1;      ///< factor on ours to match the published unit
  bool each = false;     ///< one row per included workload, all beside one published figure
  std::string note;      ///< what to know of the figure; {NAME} stands for a figure
  std::string cause;     ///< of the difference; {NAME} stands for a figure of the run that shows it
  std::map<std::string, Selection> figures;  ///< by NAME in note and cause
  SourceLocation where;
};

/// The diagram of a study.
struct StudyPicture {
  enum class Style : std::uint8_t {
    Bars,          ///< one panel per measure: workloads, one bar per variant
    Stacked,       ///< workloads, one bar of all measures: for the first variant, or each named one
    OverVariants,  ///< one panel per measure: one line per workload over the variants of a sweep
    OverWorkloads  ///< one panel per measure: one line per variant over the workloads
  };
  Style style{};
  std::vector<Measure> measures;
  std::string axis;                    ///< label of the axis that the lines run over
  std::vector<std::string> workloads;  ///< labels of the workloads drawn; empty: all
  /// Labels of the variants drawn, for bars and lines over workloads; empty: all.
  std::vector<std::string> variants;
  std::vector<std::string> groups;  ///< one panel per prefix of workload labels; empty: one panel
  std::vector<std::string> lines;   ///< OverWorkloads: one line per prefix of workload labels
  std::string publishedName;        ///< OverWorkloads: name of a published line
  std::vector<double> published;    ///< values of the published line, one per workload drawn
};

/// A figure about the hardware of `ami M` or `seznec M`, over the moduli of a study.
struct ModulusFigure {
  enum class What : std::uint8_t { Levels, Width, FullAdders, AmiGates, SeznecGates };
  std::string claim;
  SourceLocation where;  ///< of the claim
  What what{};
  std::optional<std::int64_t> atMost;   ///< count the moduli with at most this much
  std::optional<std::int64_t> over;     ///< list the moduli with more than this
  std::optional<std::int64_t> fewest;   ///< list so many moduli, those with the least
  std::optional<std::int64_t> modulus;  ///< value of this modulus
  std::string note;
};

/// A worked example of a paper, computed from a mapping's text or from accesses.
struct Example {
  enum class What : std::uint8_t {
    Layout,      ///< words of a mapping, row by row
    Degree,      ///< passes of the worst access under a mapping
    Candidates,  ///< mappings that a search looks at
    AddressBits  ///< address bits that a search chooses, in its order
  };
  std::string claim;
  What what{};
  std::string mapping;
  std::optional<SearchChoice> search;
  std::vector<std::string> accesses;  ///< warp patterns, or matrices as `fermata search --access`
  std::uint32_t banks = 32;
  std::uint32_t words = 12288;
  std::string note;
  SourceLocation where;
};

/// A part of the hardware of an elastic pipeline or of a conflict-aware schedule (Gou and
/// Gaydadjiev, CF 2011, tables 1 and 2).
enum class HardwarePart : std::uint8_t {
  NonmemQueue,             ///< M: entries
  PrememQueue,             ///< N: entries
  Latches,                 ///< per lane: (M + N) times the SIMD width
  WritebackMux,            ///< inputs: M + 3
  WritebackMuxComplexity,  ///< M + 2
  MemoryMux,               ///< inputs: N + 1
  MemoryMuxComplexity,     ///< N
  HistoryLines,
  HistoryTagBits,
  HistoryBytes,
  Gates,            ///< two per warp context
  AccumulatorBits,  ///< as the next two: log2 of the warp size
  CounterBits,
  ComparatorBits,
  Mux,  ///< of two inputs
};

/// A published cost and the figure of ours beside it.
struct HardwareFigure {
  std::string claim;
  SourceLocation where;  ///< of the claim
  HardwarePart part{};
  std::size_t variant = 0;
  std::string note;
};

/// The source's unit of time: `perCycle` units are one cycle of the platform.
struct TimeUnit {
  std::string name;  ///< empty: the platform's cycles
  std::int64_t perCycle = 1;
};

struct Study {
  /// Content: a table of runs, of searches only, the configurations of table 5, the sizes of table
  /// 1, quoted figures, the hardware of moduli, that of a pipeline, or worked examples.
  enum class Kind : std::uint8_t {
    Runs,
    Searches,
    Configurations,
    Sizes,
    Facts,
    Moduli,
    Hardware,
    Examples
  };

  std::string name;
  std::string title;
  std::string source;
  std::string note;
  Kind kind = Kind::Runs;
  std::string platform = "gtx480";
  TimeUnit time;
  std::string power;  ///< table of prices; empty: no energy is booked
  std::vector<StudyWorkload> workloads;
  std::vector<StudyVariant> variants;  ///< Runs: the first is the default baseline
  std::vector<Measure> measures;       ///< columns of the printed table
  std::vector<Comparison> comparisons;
  /// By label of a workload: the parts of its layout that ours took from the published table
  /// compared with, because the algorithm leaves a choice.
  std::map<std::string, std::string> followed;
  std::vector<std::string> claims;  ///< ids in claims.csv: quoted; Sizes: compared in their order
  SourceLocation claimsAt;
  std::uint32_t addressBits = 14;  ///< Sizes
  std::uint32_t bankBits = 5;
  std::string published;  ///< Configurations: name of a file beside claims.csv
  std::optional<StudyPicture> picture;
  std::uint32_t firstModulus = 0;  ///< Moduli
  std::uint32_t lastModulus = 0;
  std::uint32_t modulusWords = 0;  ///< words of the memory, for gates and rows; 0: neither
  std::vector<ModulusFigure> moduli;
  std::vector<Example> examples;
  std::vector<HardwarePart> parts;  ///< Hardware: rows of the printed table
  std::vector<HardwareFigure> costs;

  /// Returns whether the study has cells: searches or runs of workloads under variants.
  bool hasCells() const { return kind == Kind::Runs || kind == Kind::Searches; }
  /// Returns whether a figure needs the kinds of accesses to be told apart.
  bool countsSharing() const;
  /// Returns whether a figure needs the threads of the shared accesses.
  bool countsThreads() const;
  /// Returns whether a figure needs the bytes of the global accesses.
  bool countsBytes() const;
  /// Returns whether a figure is one of energy.
  bool asksEnergy() const;
};

/// Applies "name=value" to the parameters of all workloads. Throws InputError for a malformed text.
void setParameter(Study& study, const std::string& assignment);

/// Folders of studies in the data directory: of papers, and of what was measured on machines.
inline constexpr const char* kPaperStudies = "studies";
inline constexpr const char* kSiliconStudies = "silicon";

/// Returns every study of a folder of the data directory, by name. Throws InputError.
std::vector<Study> listStudies(const char* kind = kPaperStudies);
/// Opens a study by name, or by the path of a .toml file. Throws InputError with file, line and
/// column.
Study openStudy(const std::string& nameOrPath);

}  // namespace fermata::platforms
