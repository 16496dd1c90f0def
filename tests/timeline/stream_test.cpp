// The stream: time order for early and late events, and the cut at both ends of the window.
#include <fermata/results/timeline/stream.h>

#include "tests/support/test.h"

namespace fermata::test {
namespace {

using namespace results::timeline;
using Kind = Event::Kind;

/// Records its input: "12 Begin a", with its clipping.
class Notes final : public Writer {
 public:
  void begin(const Tables& tables, Cycle from) override {
    tables_ = &tables;
    lines.push_back("begin " + std::to_string(from));
  }
  void put(const Event& event) override {
    static const char* const names[] = {"Begin", "End",   "Instant", "Value",
                                        "Open",  "Stage", "Close"};
    std::string line = std::to_string(event.at) + ' ' + names[static_cast<unsigned>(event.kind)];
    if (event.name != 0) line += ' ' + tables_->texts[event.name];
    if (event.kind == Kind::Value) line += ' ' + std::to_string(event.number);
    if (event.clipped) line += event.since != 0 ? " since " + std::to_string(event.since) : " cut";
    lines.push_back(line);
  }
  void end(Cycle to) override { lines.push_back("end " + std::to_string(to)); }
  std::vector<std::string> lines;

 private:
  const Tables* tables_ = nullptr;
};

struct Case {
  explicit Case(const Window& window, Cycle lag = 10) : stream(notes, window, lag, "cycles") {
    track = stream.add({Track::Kind::Slices, "a", kNoTrack, ""});
    counter = stream.add({Track::Kind::Count, "c", kNoTrack, ""});
  }
  Event event(Kind kind, Cycle at, const char* name = "", std::uint64_t number = 0) {
    Event one;
    one.kind = kind;
    one.at = at;
    one.track = kind == Kind::Value ? counter : track;
    one.name = stream.text(name);
    one.number = number;
    return one;
  }
  void slice(Cycle from, Cycle to, const char* name) {
    stream.slice(event(Kind::Begin, from, name), to);
  }
  void expect(const std::vector<std::string>& lines) const {
    BOOST_TEST(notes.lines == lines, tt::per_element());
  }
  Notes notes;
  Stream stream;
  TrackId track = 0;
  TrackId counter = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(are_in_time_order) {
  Case one({});
  one.slice(30, 40, "late");
  one.slice(5, 7, "b");
  one.slice(7, 9, "c");  // its begin is reported after the previous end
  one.slice(2, 5, "a");
  one.slice(50, 50, "empty");
  one.stream.finish(60);
  one.expect({"begin 0", "2 Begin a", "5 End", "5 Begin b", "7 End", "7 Begin c", "9 End",
              "30 Begin late", "40 End", "end 60"});
  BOOST_TEST(one.stream.faults() == 0U);
}

BOOST_AUTO_TEST_CASE(hold_the_events_of_the_lag_and_no_more) {
  Case one({}, 10);
  one.slice(1, 2, "a");
  one.slice(15, 16, "b");
  one.stream.reach(12);
  one.expect({"begin 0", "1 Begin a"});
  one.stream.reach(26);
  one.expect({"begin 0", "1 Begin a", "2 End", "15 Begin b"});
}

BOOST_AUTO_TEST_CASE(move_and_count_what_comes_later_than_the_lag) {
  Case one({}, 10);
  one.slice(1, 2, "a");
  one.stream.reach(50);
  one.stream.add(one.event(Kind::Instant, 3, "late"));
  one.stream.finish(60);
  one.expect({"begin 0", "1 Begin a", "2 End", "40 Instant late", "end 60"});
  BOOST_TEST(one.stream.faults() == 1U);
}

BOOST_AUTO_TEST_CASE(cut_short_and_count_what_overlaps) {
  Case one({});
  one.slice(1, 10, "a");
  one.slice(5, 7, "b");
  one.stream.finish(20);
  one.expect({"begin 0", "1 Begin a", "5 End", "5 Begin b", "10 End", "end 20"});
  BOOST_TEST(one.stream.faults() == 1U);
}

BOOST_AUTO_TEST_CASE(begin_with_what_is_there) {
  Case one({100, 200});
  one.slice(90, 100, "over");
  one.stream.add(one.event(Kind::Value, 20, "", 7));
  one.stream.add(one.event(Kind::Open, 30, "i", 1));
  one.stream.add(one.event(Kind::Stage, 40, "W", 1));
  one.stream.add(one.event(Kind::Stage, 50, "X", 1));
  one.stream.add(one.event(Kind::Begin, 101, "inside"));
  one.stream.add(one.event(Kind::End, 150));
  one.stream.add(one.event(Kind::Close, 160, "", 1));
  one.stream.finish(500);
  one.expect({"begin 100", "100 Value 7", "100 Open i since 30", "100 Stage X", "101 Begin inside",
              "150 End", "160 Close", "end 200"});
}

BOOST_AUTO_TEST_CASE(end_what_goes_on) {
  Case one({100, 200});
  one.slice(50, 200, "to its end");
  one.stream.finish(300);
  one.expect({"begin 100", "100 Begin to its end since 50", "200 End", "end 200"});
  Case two({100, 200});
  two.slice(50, 201, "beyond");
  two.stream.add(two.event(Kind::Open, 120, "i", 1));
  two.stream.add(two.event(Kind::Instant, 200, "behind"));
  two.stream.finish(300);
  two.expect({"begin 100", "100 Begin beyond since 50", "120 Open i", "200 End cut",
              "200 Close cut", "end 200"});
}

BOOST_AUTO_TEST_CASE(of_a_run_that_ends_before_are_empty) {
  Case one({100, 200});
  one.slice(5, 50, "a");
  one.stream.finish(60);
  one.expect({"begin 100", "end 100"});
  BOOST_TEST(one.stream.written() == 0U);
}

BOOST_AUTO_TEST_CASE(leave_out_what_changes_nothing) {
  Case one({});
  one.stream.add(one.event(Kind::Value, 1, "", 5));
  one.stream.add(one.event(Kind::Value, 2, "", 5));
  one.stream.add(one.event(Kind::Open, 3, "i", 1));
  one.stream.add(one.event(Kind::Stage, 6, "X", 1));  // ends come first
  one.stream.add(one.event(Kind::Close, 6, "", 1));
  one.stream.finish(9);
  one.expect({"begin 0", "1 Value 5", "3 Open i", "6 Close", "end 9"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
