// When a block that answers with each edge is ready, busy and has an answer.
#pragma once

#include <fermata/models/rtl/clocked_block.h>

#include <boost/test/unit_test.hpp>

namespace fermata::rtl::test {

/// Nothing before the edge, the response behind it, and nothing behind the next.
template <class Request, class Response>
void checkHandshake(ClockedBlock<Request, Response>& block, const Request& request) {
  BOOST_TEST(block.ready());
  BOOST_TEST(!block.busy());
  BOOST_TEST(block.response() == nullptr);
  block.tick();
  BOOST_TEST(block.response() == nullptr);
  for (int i = 0; i < 3; ++i) {
    block.request(request);
    BOOST_TEST(!block.ready());
    BOOST_TEST(block.busy());
    BOOST_TEST((block.response() == nullptr) == (i == 0));
    block.tick();
    BOOST_TEST(block.ready());
    BOOST_TEST(!block.busy());
    BOOST_TEST(block.response() != nullptr);
  }
  block.tick();
  BOOST_TEST(block.response() == nullptr);
}

}  // namespace fermata::rtl::test
