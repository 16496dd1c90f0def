#include <fermata/platforms/program/study/study_hardware.h>

#include <algorithm>
#include <array>

#include <fermata/models/core/conflict_history.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_reading.h>
#include <fermata/results/csv.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

struct PartTraits {
  const char* name;     ///< as in a study file and in table.csv
  const char* heading;  ///< with the unit
};

/// In the order of HardwarePart.
constexpr std::array<PartTraits, 15> kParts{{
    {"nonmem_queue", "M: NONMEM queue, entries"},
    {"premem_queue", "N: PREMEM queue, entries"},
    {"latches", "pipeline latches of one lane: (M + N) x SIMD width"},
    {"writeback_mux", "writeback multiplexer, inputs: M + 3"},
    {"writeback_mux_complexity", "its complexity: M + 2"},
    {"memory_mux", "multiplexer before the memory stages, inputs: N + 1"},
    {"memory_mux_complexity", "its complexity: N"},
    {"history_lines", "conflict history cache, lines: sets x ways"},
    {"history_tag_bits", "its tags, bits: 14 - log2(sets)"},
    {"history_bytes", "conflict history cache, bytes"},
    {"gates", "AND/NAND gates: 2 a warp context"},
    {"accumulator_bits", "accumulator, bits: log2(warp size)"},
    {"counter_bits", "counter, bits: log2(warp size)"},
    {"comparator_bits", "comparator, bits: log2(warp size)"},
    {"mux", "2-to-1 multiplexers"},
}};

const PartTraits& traits(HardwarePart part) {
  return kParts.at(static_cast<std::size_t>(part));
}

HardwarePart parsePart(const std::string& text, const SourceLocation& where) {
  Choices<HardwarePart> all;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    all.emplace_back(kParts[i].name, static_cast<HardwarePart>(i));
  }
  return choose(text, all, where, "part");
}

unsigned log2Of(unsigned powerOfTwo) {
  return static_cast<unsigned>(__builtin_ctz(powerOfTwo));
}

double queuesAmount(const StageParameters& stages, HardwarePart part) {
  const double m = stages.nonmemEntries();
  const double n = stages.prememEntries();
  switch (part) {
    case HardwarePart::NonmemQueue:
      return m;
    case HardwarePart::PrememQueue:
      return n;
    case HardwarePart::Latches:
      return (m + n) * stages.simdWidth;
    case HardwarePart::WritebackMux:
      return m + 3;
    case HardwarePart::WritebackMuxComplexity:
      return m + 2;
    case HardwarePart::MemoryMux:
      return n + 1;
    default:
      return n;
  }
}

double scheduleAmount(const PlatformParameters& p, HardwarePart part) {
  const HistoryParameters& history = p.core.issue.inOrder.spacing.history;
  switch (part) {
    case HardwarePart::HistoryLines:
      return double{1} * history.sets * history.ways;
    case HardwarePart::HistoryTagBits:
      return ConflictHistory::tagBits(history);
    case HardwarePart::HistoryBytes:
      return ConflictHistory::bytes(history);
    case HardwarePart::Gates:
      return 2.0 * p.core.limits.warps;
    case HardwarePart::Mux:
      return 1;
    default:
      return log2Of(kWarpLanes);
  }
}

/// Returns the parameters of the study's platform, as changed by the variant.
PlatformParameters parametersOf(const Study& study, const StudyVariant& variant) {
  Configuration configuration = openPlatform(study.platform);
  try {
    configuration.applyAll(variant.sets);
    configuration.check();
  } catch (const InputError& error) {
    throw InputError(variant.where, error.what());
  }
  return configuration.parameters();
}

double amount(const PlatformParameters& p, HardwarePart part, const SourceLocation& where) {
  const auto& issue = p.core.issue;
  if (part < HardwarePart::HistoryLines) {
    if (issue.pipelines.organisation == PipelineOrganisation::Elastic) {
      return queuesAmount(issue.inOrder.stages, part);
    }
    refuse(where, "no '{}' without queues; expected pipeline.organisation=elastic",
           traits(part).name);
  }
  if (issue.policy->needs.spacesMemory &&
      issue.inOrder.spacing.prediction == ConflictPrediction::History) {
    return scheduleAmount(p, part);
  }
  refuse(where,
         "no '{}' without a conflict history; expected scheduler.policy=conflict-aware, "
         "scheduler.prediction=history",
         traits(part).name);
}

const HardwareRow& rowOf(const std::vector<HardwareRow>& rows, HardwarePart part) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const HardwareRow& row) { return row.part == part; });
}

std::size_t variantOf(TomlTable& table, const Study& study) {
  if (!table.has("variant")) return 0;
  const std::string label = table.text("variant");
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    if (study.variants[v].label == label) return v;
  }
  refuse(table.where("variant"), "no variant has the label '{}'; expected one of this file", label);
}

}  // namespace

void readHardware(TomlTable& file, Study& study) {
  const std::vector<std::string> parts = file.texts("parts");
  const auto costs = file.tablesOrRows("cost", "a cost");
  if (study.kind != Study::Kind::Hardware) {
    if (!parts.empty() || !costs.empty())
      refuse(parts.empty() ? costs.front().where() : file.where("parts"),
             "'parts' and 'cost' are for kind = \"hardware\"; expected neither");
    return;
  }
  if (parts.empty() || study.variants.empty())
    refuse(file.where("kind"), "no 'parts' or no variant; expected one of each or more");
  for (const std::string& text : parts) {
    study.parts.push_back(parsePart(text, file.where("parts")));
  }
  for (TomlTable table : costs) {
    HardwareFigure figure;
    figure.claim = table.text("claim");
    figure.where = table.where("claim");
    figure.part = parsePart(table.text("part"), table.where("part"));
    figure.variant = variantOf(table, study);
    figure.note = table.text("note", "");
    table.refuseOtherKeys();
    study.costs.push_back(std::move(figure));
  }
}

std::vector<HardwareRow> hardwareRows(const Study& study) {
  std::vector<HardwarePart> parts = study.parts;
  for (const HardwareFigure& cost : study.costs) parts.push_back(cost.part);
  std::vector<HardwareRow> rows;
  for (const HardwarePart part : parts) rows.push_back({part, {}});
  for (const StudyVariant& variant : study.variants) {
    const PlatformParameters parameters = parametersOf(study, variant);
    for (HardwareRow& row : rows) {
      row.amounts.push_back(amount(parameters, row.part, variant.where));
    }
  }
  return rows;
}

void printHardware(const Study& study, const std::vector<HardwareRow>& rows, std::ostream& out) {
  std::vector<results::TableColumn> columns{{"part", results::Align::Left}};
  for (const StudyVariant& variant : study.variants) columns.push_back({variant.label});
  results::Table table(std::move(columns));
  for (const HardwarePart part : study.parts) {
    std::vector<std::string> line{traits(part).heading};
    for (const double one : rowOf(rows, part).amounts) line.push_back(results::number(one));
    table.row(std::move(line));
  }
  out << '\n';
  table.print(out);
}

void writeHardware(const Study& study, const std::vector<HardwareRow>& rows,
                   files::OutputSet& files, const std::filesystem::path& folder) {
  std::string text = "part,variant,amount\n";
  for (const HardwarePart part : study.parts) {
    const HardwareRow& row = rowOf(rows, part);
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      text += csvLine(traits(part).name, study.variants[v].label, row.amounts.at(v));
    }
  }
  files.add(folder / "table.csv").write(text);
}

std::vector<ComparedFigure> compareHardware(const Study& study,
                                            const std::vector<HardwareRow>& rows) {
  const PublishedFacts facts;
  std::vector<ComparedFigure> figures;
  for (const HardwareFigure& cost : study.costs) {
    ComparedFigure figure = facts.of(cost.claim, cost.where);
    figure.ours = rowOf(rows, cost.part).amounts.at(cost.variant);
    if (!cost.note.empty()) figure.note = cost.note;
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace fermata::platforms
