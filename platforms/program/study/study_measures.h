// Names and formats of a study's measures.
#pragma once

#include <fermata/platforms/program/study/study_run.h>

namespace fermata::platforms {

struct MeasureTraits {
  enum class Form : std::uint8_t {
    Count,    ///< summed over workloads
    Cycles,   ///< not summed over workloads
    Factor,   ///< three digits; geometric mean
    Percent,  ///< one digit
    Share,    ///< two digits
    Yes       ///< 1 is printed as yes
  };
  const char* name;     ///< as in a study file and in table.csv
  const char* heading;  ///< with the unit
  Form form;
};

const MeasureTraits& traits(Measure measure);
/// Returns the traits' heading, with the study's unit of time.
std::string heading(const Study& study, Measure measure);

}  // namespace fermata::platforms
