// Keeps reports of SystemC, instead of throwing them, while a log exists.
#pragma once

#include <string>
#include <systemc>
#include <vector>

namespace fermata::test {

/// At most one at a time.
class ReportLog {
 public:
  ReportLog() {
    lines().clear();
    sc_core::sc_report_handler::set_handler(keep);
  }
  ~ReportLog() { sc_core::sc_report_handler::set_handler(nullptr); }
  ReportLog(const ReportLog&) = delete;
  ReportLog& operator=(const ReportLog&) = delete;

  /// Returns the reports since the last call: severity, type and text of each.
  std::vector<std::string> take() {
    std::vector<std::string> taken;
    taken.swap(lines());
    return taken;
  }
  static std::string error(const std::string& type, const std::string& text) {
    return line(sc_core::SC_ERROR, type, text);
  }

 private:
  static std::string line(sc_core::sc_severity severity, const std::string& type,
                          const std::string& text) {
    return std::to_string(severity) + " " + type + ": " + text;
  }
  static void keep(const sc_core::sc_report& report, const sc_core::sc_actions&) {
    lines().push_back(line(report.get_severity(), report.get_msg_type(), report.get_msg()));
  }
  static std::vector<std::string>& lines() {
    static std::vector<std::string> lines;
    return lines;
  }
};

}  // namespace fermata::test
