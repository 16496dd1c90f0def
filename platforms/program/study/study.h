// A study: a table or a figure of a paper, or a what-if, as a file says it. See
// results/studies/README.md for the format.
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

/// One row of the study's table.
struct StudyWorkload {
  std::string label;
  std::string name;       ///< as `fermata run` takes it
  Parameters parameters;  ///< what is run
  Parameters trained;     ///< what the searches look at; empty: the same
  std::vector<Parameters>
      runs;              ///< added to `parameters`, a run each, figures averaged; empty: one run
  std::string platform;  ///< never empty
  SourceLocation where;
};

/// Where a variant's mapping comes from.
struct SearchChoice {
  search::MappingClass mappingClass{};
  search::Method method{};
};

/// "pairs.minimum-imbalance": the words of `fermata search`. Throws InputError at `where`.
SearchChoice parseSearchChoice(const std::string& text, const SourceLocation& where);

/// One column of the study's table.
struct StudyVariant {
  std::string label;
  std::string mapping;                     ///< mapping text; empty: the platform's own, or `search`
  std::optional<SearchChoice> search;      ///< the mapping found for each workload
  std::optional<SearchChoice> lockSearch;  ///< the same of the locks
  bool software = false;                   ///< the mapping is computed by the kernel
  Parameters parameters;                   ///< of workloads, over their own
  std::vector<std::string> workloads;      ///< labels of those it is for; empty: all
  std::vector<std::string> sets;           ///< "path=value"
  bool swept = false;                      ///< one of a sweep
  double less = 0;                         ///< cycles of a run that do not count
  std::size_t baseline = 0;                ///< the variant that its measures are against
  SourceLocation where;
};

enum class Measure : std::uint8_t {
  ConflictsRemoved,   ///< percent of the baseline's conflicts
  Speedup,            ///< cycles of the baseline / cycles
  Slowdown,           ///< percent of cycles more than the baseline
  InstructionsAdded,  ///< percent of warp instructions more than the baseline
  Conflicts,          ///< as they are
  Cycles,
  Time,                 ///< cycles / cycles of the first workload under the same variant
  ConflictFree,         ///< 1 where no conflict is left, else 0
  AllConflictsRemoved,  ///< as ConflictsRemoved, of the scratchpad and of the L1
  MemoryIntensity,      ///< percent of the warp instructions that access memory
  ScratchpadIntensity,  ///< of these: the scratchpad
  L1Intensity,          ///< global, local and texture memory
  Bcpki,                ///< conflicts per 1000 warp instructions, of the scratchpad and of the L1
  BcpkiScratchpad,
  BcpkiL1,
  Rpki,             ///< replays and squashes per 1000 warp instructions
  ReplaysRemoved,   ///< percent of the baseline's
  Issued,           ///< issue slots used, percent of the baseline's
  IssuedRemoved,    ///< 100 - Issued
  CyclesPerAccess,  ///< cycles / shared accesses
  CyclesPerWay,     ///< what an access costs more than in the first workload, by what it conflicts
                    ///< more
  VectorBroadcast,  ///< percent of the accesses: see models/probe/sharing.h
  WarpBroadcast,
  LaneBroadcast,
  ScatterGather,
  CyclesAdded,   ///< cycles beyond the baseline's
  MaxDegree,     ///< passes of the worst access
  AtomicRounds,  ///< as the next four: the columns of those names
  LockTries,
  LockFailuresPosition,
  LockFailuresAlias,
  LockFailuresOtherWarp,
  Improvement,    ///< percent of performance more than the baseline: 100 (Speedup - 1)
  Stalls,         ///< cycles in which a pipeline of stages issues nothing, of the next three causes
  StallsRemoved,  ///< percent of the baseline's
  StallBankConflict,  ///< as the next two: percent of all stalls of the baseline
  StallScheduleFail,
  StallWriteback,
  SubwarpDegree,              ///< passes / those without a conflict
  ThreadScratchpadIntensity,  ///< as ScratchpadIntensity, by threads
  TheoreticSpeedup,           ///< if bank conflicts alone kept a pipeline of stages from issuing
  ThreadInstructions,
  ThreadAccesses,  ///< of shared memory, by threads
  HistoryWrong,    ///< percent of the accesses whose conflicts were foretold
  // Of energy (study_energy.h): where the study has prices.
  Energy,  ///< nJ
  EnergyLow,
  EnergyHigh,
  EnergySaved,               ///< percent of the baseline's
  EnergyDelay,               ///< nJ us
  EnergyDelaySaved,          ///< percent of the baseline's
  EnergyPerWarpInstruction,  ///< pJ
  AveragePower,              ///< mW, as the next ten, which are without leakage and clocks
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
  ReplayEnergy,     ///< percent of the energy
  IndexerActivity,  ///< words given their banks, percent of lanes times cycles
};
inline constexpr unsigned kMeasures = 64;
constexpr bool isOfEnergy(Measure measure) {
  return measure >= Measure::Energy && measure <= Measure::IndexerActivity;
}
enum class Summary : std::uint8_t { Mean, GeometricMean, Largest, Smallest, Sum };

const char* name(Measure measure);
/// Throws InputError at `where` for a text that names none.
Measure parseMeasure(const std::string& text, const SourceLocation& where);

/// As a selection's variant: the one of a sweep with the largest figure.
inline constexpr const char* kBestOfSweep = "best of the sweep";

/// How a figure is formed from the cells of a study.
struct Selection {
  std::string variant;                 ///< label
  std::string platform;                ///< of the workloads that count; empty: all
  std::vector<std::string> workloads;  ///< labels of those that count; empty: all
  Measure measure = Measure::ConflictsRemoved;
  Summary summary = Summary::Mean;
  std::string parameter;  ///< its value in the workload with the largest or smallest figure instead
};

/// A published figure and how ours is formed.
struct Comparison : Selection {
  std::string claim;      ///< id in claims.csv; empty: `published` and `place` stand in the study
  std::string subject;    ///< what it is
  std::string published;  ///< the digits that are printed; only without a claim; empty: none are
  std::string place;
  std::string unit;
  double times = 1;   ///< so many of ours make up the published one
  bool each = false;  ///< a row for each workload that counts, all of one published figure
  std::string note;   ///< why ours differs; {NAME} stands for a figure
  std::map<std::string, Selection> figures;  ///< by the name that the note has for them
  SourceLocation where;
};

/// What is drawn of a study.
struct StudyPicture {
  enum class Style : std::uint8_t {
    Bars,          ///< a panel a measure: workloads, a bar a variant
    Stacked,       ///< workloads, a bar of all measures: of the first variant, or of each named
    OverVariants,  ///< a panel a measure: a line a workload over the variants of a sweep
    OverWorkloads  ///< a panel a measure: a line a variant over the workloads
  };
  Style style{};
  std::vector<Measure> measures;
  std::string axis;                    ///< what the lines run over
  std::vector<std::string> workloads;  ///< labels of those that are drawn; empty: all
  std::vector<std::string> variants;   ///< as well, of bars and of lines over workloads
  std::vector<std::string> groups;     ///< a panel for the workloads whose label begins so; or all
  std::string publishedName;           ///< OverWorkloads: a line that is published
  std::vector<double> published;       ///< of each workload that is drawn
};

/// A figure of the hardware of `ami M`, of the moduli of a study.
struct ModulusFigure {
  enum class What : std::uint8_t { Levels, Width, FullAdders };
  std::string claim;
  SourceLocation where;  ///< of the claim
  What what{};
  std::optional<std::int64_t> atMost;   ///< how many moduli have so much or less
  std::optional<std::int64_t> over;     ///< which moduli have more
  std::optional<std::int64_t> modulus;  ///< of this one
  std::string note;
};

/// A part of the hardware of an elastic pipeline or of a conflict-aware schedule (Gou and
/// Gaydadjiev, CF 2011, tables 1 and 2).
enum class HardwarePart : std::uint8_t {
  NonmemQueue,             ///< M: entries
  PrememQueue,             ///< N: entries
  Latches,                 ///< of one lane: (M + N) of the SIMD width
  WritebackMux,            ///< inputs: M + 3
  WritebackMuxComplexity,  ///< M + 2
  MemoryMux,               ///< inputs: N + 1
  MemoryMuxComplexity,     ///< N
  HistoryLines,
  HistoryTagBits,
  HistoryBytes,
  Gates,            ///< two a warp context
  AccumulatorBits,  ///< as the next two: log2 of the warp size
  CounterBits,
  ComparatorBits,
  Mux,  ///< of two inputs
};

/// A published cost and which of ours stands beside it.
struct HardwareFigure {
  std::string claim;
  SourceLocation where;  ///< of the claim
  HardwarePart part{};
  std::size_t variant = 0;
  std::string note;
};

/// Cycles in a unit of the source's: so many to one of the platform's.
struct TimeUnit {
  std::string name;  ///< empty: the platform's cycles
  std::int64_t perCycle = 1;
};

struct Study {
  /// What it does: a table of runs, of searches only, table 5's configurations, the sizes of table
  /// 1, figures that are only quoted, the hardware of moduli, or that of a pipeline.
  enum class Kind : std::uint8_t { Runs, Searches, Configurations, Sizes, Facts, Moduli, Hardware };

  std::string name;
  std::string title;
  std::string source;
  std::string note;
  Kind kind = Kind::Runs;
  std::string platform = "gtx480";
  TimeUnit time;
  std::string power;  ///< table of prices; empty: no energy is booked
  std::vector<StudyWorkload> workloads;
  std::vector<StudyVariant> variants;  ///< Runs: the first is the baseline of all
  std::vector<Measure> measures;       ///< columns of the printed table
  std::vector<Comparison> comparisons;
  /// By label of a workload: what of its layout, where the algorithm leaves a choice, ours took
  /// from the published table that the study compares with.
  std::map<std::string, std::string> followed;
  std::vector<std::string> claims;  ///< Facts and Sizes: ids in claims.csv
  SourceLocation claimsAt;
  std::uint32_t addressBits = 14;  ///< Sizes
  std::uint32_t bankBits = 5;
  std::string published;  ///< Configurations: a file beside claims.csv
  std::optional<StudyPicture> picture;
  std::uint32_t firstModulus = 0;  ///< Moduli
  std::uint32_t lastModulus = 0;
  std::vector<ModulusFigure> moduli;
  std::vector<HardwarePart> parts;  ///< Hardware: rows of the printed table
  std::vector<HardwareFigure> costs;

  /// Whether some figure of it needs the kinds of accesses to be told apart.
  bool countsSharing() const;
  /// Whether some figure of it needs the threads of the shared accesses.
  bool countsThreads() const;
  /// Whether some figure of it is of energy.
  bool asksEnergy() const;
};

/// "name=value" over the parameters of all workloads. Throws InputError for another text.
void setParameter(Study& study, const std::string& assignment);

/// Every study of the data directory, by name. Throws InputError.
std::vector<Study> listStudies();
/// By name, or by the path of a .toml file. Throws InputError with file, line and column.
Study openStudy(const std::string& nameOrPath);

}  // namespace fermata::platforms
