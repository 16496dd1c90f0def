// Traces that are truncated, damaged or compressed by another library never crash and never run on.
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/patterns/patterns.h>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/range/iterator_range.hpp>
#include "tests/support/says.h"
#include "tests/traces/fake_workload.h"
#include "tests/traces/trace_files.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// Returns the error that refuses the trace; "none" if it is read to its end.
std::string refusal(const std::string& path) {
  const std::string why =
      errorOf<InputError>([&] { record(*traces::openTrace(path), anyOrder()); });
  BOOST_TEST((why == "none" || begins(why, path)));
  return why;
}

/// Returns whether the whole trace is read; an error other than InputError fails the test.
bool reads(const std::string& path) {
  return refusal(path) == "none";
}

std::string recordedAs(const Scratch& scratch, const std::string& name) {
  FakeWorkload fake({2, 40, 8, 3});
  recordTo(fake, scratch.file(name), anyOrder());
  return bytesOf(scratch.file(name));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(torn_traces, InScratch)

BOOST_AUTO_TEST_CASE(every_cut_of_a_plain_trace_is_refused) {
  const std::string whole = recordedAs(scratch, "whole.csv");
  BOOST_TEST(reads(scratch.file("whole.csv")));
  for (std::size_t size = 0; size < whole.size() - 1; ++size) {
    put(scratch.file("cut.csv"), whole.substr(0, size));
    BOOST_TEST(!reads(scratch.file("cut.csv")), "cut at " << size);
  }
  put(scratch.file("cut.csv"), whole.substr(0, whole.size() - 1));  // without the last line break
  BOOST_TEST(reads(scratch.file("cut.csv")));
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_compressed_trace_says_that_it_is_cut_off) {
  const std::string whole = recordedAs(scratch, "whole.csv.zst");
  BOOST_TEST(reads(scratch.file("whole.csv.zst")));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put(scratch.file("cut.csv.zst"), whole.substr(0, size));
    const std::string why = refusal(scratch.file("cut.csv.zst"));
    BOOST_TEST(why != "none", "cut at " << size);
    constexpr std::size_t kMagicBytes = 4;  // with fewer bytes it is no zstd frame
    if (size < kMagicBytes) continue;
    BOOST_TEST(has(why, "the zstd frame is cut off"), size << ": " << why);
  }
}

// Another library decompresses recorded traces, and its compressed traces are read.
BOOST_AUTO_TEST_CASE(frames_are_those_of_any_zstd) {
  namespace io = boost::iostreams;
  const std::string plain = recordedAs(scratch, "plain.csv");
  const std::string packed = recordedAs(scratch, "packed.CSV.ZST");
  std::string unpacked;
  io::filtering_istream in;
  in.push(io::zstd_decompressor());
  in.push(boost::make_iterator_range(packed));
  io::copy(in, io::back_inserter(unpacked));
  BOOST_TEST((unpacked == plain));
  std::string other;
  io::filtering_ostream out;
  out.push(io::zstd_compressor());
  out.push(io::back_inserter(other));
  out << plain;
  io::close(out);
  put(scratch.file("other.csv"), other);
  BOOST_TEST(refusal(scratch.file("other.csv")) == "none");
  put(scratch.file("twice.csv"), other + "behind the frame");
  BOOST_TEST(!reads(scratch.file("twice.csv")));
}

BOOST_AUTO_TEST_CASE(lost_rows_are_noticed) {
  const std::string whole = recordedAs(scratch, "whole.csv");
  // Removes each row of a warp instruction in turn.
  std::size_t lost = 0;
  for (std::size_t at = 0; at < whole.size(); at = whole.find('\n', at) + 1) {
    if (whole[at] < '0' || whole[at] > '9') continue;
    put(scratch.file("lost.csv"), whole.substr(0, at) + whole.substr(whole.find('\n', at) + 1));
    BOOST_TEST(!reads(scratch.file("lost.csv")));
    ++lost;
  }
  BOOST_TEST(lost > 20U);
}

BOOST_AUTO_TEST_CASE(damaged_bytes_are_refused_or_read_but_never_crash) {
  for (const char* const name : {"whole.csv", "whole.csv.zst"}) {
    const std::string whole = recordedAs(scratch, name);
    std::uint64_t state = 7;
    for (unsigned round = 0; round < 1500; ++round) {
      std::string damaged = whole;
      for (unsigned i = 0; i < 1 + round % 3; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        damaged[(state >> 33) % damaged.size()] = static_cast<char>(state >> 24);
      }
      put(scratch.file("damaged.csv"), damaged);
      reads(scratch.file("damaged.csv"));
    }
  }
}

BOOST_AUTO_TEST_CASE(line_ends_blanks_and_blank_lines_do_not_matter) {
  const std::string whole = recordedAs(scratch, "whole.csv");
  std::string other = "\xef\xbb\xbf";
  for (const char c : whole) other += c == '\n' ? " \r\n\r\n" : std::string(1, c);
  put(scratch.file("other.csv"), other);
  const auto expected = record(*traces::openTrace(scratch.file("whole.csv")), anyOrder());
  const auto got = record(*traces::openTrace(scratch.file("other.csv")), anyOrder());
  BOOST_TEST((got.streams == expected.streams));
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_are_refused) {
  BOOST_CHECK_THROW(traces::openTrace(scratch.file("none.csv")), InputError);
  BOOST_CHECK_THROW(traces::openTrace("."), InputError);
}

BOOST_AUTO_TEST_CASE(misuse_is_a_logic_error_not_a_crash) {
  recordedAs(scratch, "whole.csv");
  const auto trace = traces::openTrace(scratch.file("whole.csv"));
  trace->setWarpSlots(4);
  BOOST_CHECK_THROW(trace->startCta(0, 0), std::logic_error);
  BOOST_REQUIRE(trace->nextGrid() != nullptr);
  BOOST_TEST((trace->peek(0) == nullptr));
  BOOST_CHECK_THROW(trace->startCta(0, 3), std::logic_error);
  BOOST_CHECK_THROW(trace->startCta(2, 0), std::logic_error);
  trace->startCta(0, 0);
  BOOST_CHECK_THROW(trace->nextGrid(), std::logic_error);
  WarpInstruction out;
  BOOST_CHECK_THROW(trace->execute(3, out), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
