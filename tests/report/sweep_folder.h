// A handmade folder of a sweep, in the form of `fermata sweep`: a report of it has known contents.
#pragma once

#include "tests/support/program.h"

namespace fermata::test {

inline const char* const kSchema =
    "file,column,type,unit,description\n"
    "runs.csv,cycles,integer,cycles,\"SM cycles, from first to last\"\n"
    "runs.csv,energy_nj,real,nJ,energy of the run\n";
inline const char* const kRunColumns =
    "workload,parameters,platform,changes,indexer,banks,warp_instructions,cycles,"
    "wavefronts,wavefronts_ideal,wavefronts_excessive,energy_nj";

/// Kernels a and b by mappings mod 32 and ami 33 by two latencies.
struct SweepFolder : Folder {
  struct Point {
    std::string workload;
    std::string mapping;
    std::string latency;
    unsigned cycles;
    unsigned conflicts;
    std::string energy;
  };
  std::vector<Point> points{
      {"a", "mod 32", "20", 400, 300, "8"},  {"a", "mod 32", "24", 440, 300, "9"},
      {"a", "ami 33", "20", 100, 0, "4"},    {"a", "ami 33", "24", 110, 0, "5"},
      {"b", "mod 32", "20", 1000, 0, "20"},  {"b", "mod 32", "24", 1100, 0, "22"},
      {"b", "ami 33", "20", 1000, 50, "30"}, {"b", "ami 33", "24", 1100, 50, "33"}};

  /// Writes the sweep to the folder `name`.
  void put(const std::string& name = "s") const {
    fs::create_directories(path / name / "merged");
    std::string plan = "point,key,platform,workload,mapping,scratchpad.latency\n";
    std::string runs = std::string("point,mapping,scratchpad.latency,") + kRunColumns + '\n';
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& one = points[i];
      const std::string number = std::to_string(i);
      plan += number + ",k" + number + ",gtx480," + quoted(one.workload) + ',' + one.mapping + ',' +
              one.latency + '\n';
      runs += number + ',' + one.mapping + ',' + one.latency + ',' + quoted(one.workload) +
              ",,gtx480,scratchpad.indexer=" + one.mapping + ',' + one.mapping + ",32,900," +
              std::to_string(one.cycles) + ',' + std::to_string(100 + one.conflicts) + ",100," +
              std::to_string(one.conflicts) + ',' + one.energy + '\n';
    }
    write(name + "/plan.csv", plan);
    write(name + "/study.toml", "description = \"made by hand\"\n");
    write(name + "/merged/runs.csv", runs);
    write(name + "/merged/schema.csv", kSchema);
  }
  Outcome report(const std::string& arguments) const {
    return runProgram("report " + arguments, path);
  }

 private:
  /// Returns the text quoted like a plan's cell.
  static std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
  }
};

}  // namespace fermata::test
