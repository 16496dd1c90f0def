// Memories that answer late: the DRAM, and one that knows only the TLM-2.0 standard.
#include <fermata/models/memory/dram.h>

#include "tests/conformance/support.h"
#include "tests/support/foreign_memory.h"
#include "tests/support/line_master.h"

using namespace fermata;
using namespace fermata::conformance;
using test::checkConforms;

namespace {

Options ofDram(unsigned seed, std::uint32_t lineBytes) {
  Options options = test::seeded(seed);
  options.lineBytes = lineBytes;
  options.repeats = false;  // rows stay open
  return options;
}

void check(const Dram::Parameters& parameters, const Clock& clock, Options options) {
  options.period = clock.period();
  test::conforms<Dram>(checkLineTarget, options, clock, parameters);
}

const Clock kNanosecond(sc_core::sc_time(1, sc_core::SC_NS));

}  // namespace

BOOST_AUTO_TEST_SUITE(memories)

BOOST_DATA_TEST_CASE(dram, bdata::make({32U, 128U, 4096U}) * bdata::xrange(1U, 4U), bytes, seed) {
  Dram::Parameters parameters;
  parameters.verify = true;
  check(parameters, Clock::fromMegahertz(924), ofDram(seed, bytes));
}

// Queues of one place: requests are held all the time.
BOOST_DATA_TEST_CASE(dram_with_a_queue_of_one, bdata::make({128U, 4096U}) * bdata::xrange(1U, 4U),
                     bytes, seed) {
  Dram::Parameters parameters;
  parameters.verify = true;
  parameters.channels = 2;
  parameters.queue = 1;
  check(parameters, kNanosecond, ofDram(seed, bytes));
}

BOOST_DATA_TEST_CASE(foreign_memory, bdata::xrange(1U, 4U), seed) {
  checkConforms(checkLineTarget(
      [](const char* name) {
        auto memory = std::make_shared<foreign::Memory>(name);
        return Target<Line>{memory, memory->socket};
      },
      test::seeded(seed)));
}

BOOST_AUTO_TEST_CASE(foreign_memory_does_what_it_is_there_for) {
  foreign::Memory memory("memory");
  test::LineMaster master("master");
  LineProtocolChecker checker("checker");
  master.out.bind(checker.in);
  checker.out.bind(memory.socket);
  const unsigned lines = 40;
  for (unsigned i = 0; i < 2 * lines; ++i) {
    test::LineRequest& r =
        master.add(kNanosecond.time(i < lines ? 0 : 10000), i < lines, i % lines * 128, 128);
    for (auto& d : r.data) d = static_cast<std::uint8_t>(i < lines ? i + 1 : 0xee);
    r.enabled.assign(2, TLM_BYTE_ENABLED);
    if (i < lines) r.enabled[1] = TLM_BYTE_DISABLED;
  }
  sc_core::sc_start();
  BOOST_TEST(memory.withheld() == 16U);
  BOOST_TEST(memory.overtaken() > 20U);
  for (unsigned i = lines; i < 2 * lines; ++i) {
    const test::LineRequest& r = master.requests[i];
    BOOST_TEST(r.answers == 1U);
    BOOST_TEST(r.data[126] == i - lines + 1);
    BOOST_TEST(r.data[127] == 0);  // was not enabled in the write
  }
}

BOOST_AUTO_TEST_SUITE_END()
