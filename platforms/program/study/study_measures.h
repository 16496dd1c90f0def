// Names, formats and rules of a study's measures.
#pragma once

#include <fermata/platforms/program/study/study_run.h>

namespace fermata::platforms {

struct MeasureTraits {
  enum class Form : std::uint8_t {
    Count,    ///< summed over workloads
    Cycles,   ///< not summed over workloads
    Factor,   ///< three digits; geometric mean
    Percent,  ///< one digit
    Rate,     ///< per 1000; one digit
    Share,    ///< two digits
    Yes       ///< 1 is printed as yes
  };
  const char* name;     ///< as in a study file and in table.csv
  const char* heading;  ///< with the unit
  Form form;
  /// Computes the measure; nothing if it is undefined. null: a measure of energy.
  std::optional<double> (*value)(const StudyCell& cell, const StudyCell& other) = nullptr;
  /// The other cell: the measured one, its baseline's, or the variant's first workload's.
  enum class Against : std::uint8_t { Cell, Baseline, First } against = Against::Cell;
};

const MeasureTraits& traits(Measure measure);
/// Returns the heading without unit and explanation: "stalls by bank conflicts".
std::string shortHeading(Measure measure);
/// Returns the label of an axis of values: "percent of the accesses", "shader cycles", "mW".
std::string unitLabel(const Study& study, Measure measure);
/// Returns the traits' heading, with the study's unit of time.
std::string heading(const Study& study, Measure measure);

}  // namespace fermata::platforms
