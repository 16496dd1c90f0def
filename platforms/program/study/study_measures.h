// How a study's measures are called and shown.
#pragma once

#include <fermata/platforms/program/study/study_run.h>

namespace fermata::platforms {

struct MeasureTraits {
  enum class Form : std::uint8_t {
    Count,    ///< summed over the workloads
    Cycles,   ///< not summed up
    Factor,   ///< three digits; its mean is geometric
    Percent,  ///< one digit
    Share,    ///< two digits
    Yes       ///< 1: yes
  };
  const char* name;     ///< in a study file and in table.csv
  const char* heading;  ///< with its unit
  Form form;
};

const MeasureTraits& traits(Measure measure);
/// The traits' heading with the study's unit of time.
std::string heading(const Study& study, Measure measure);

}  // namespace fermata::platforms
