// Checks when a block that answers with each edge is ready, is busy and has an answer.
#pragma once

#include <fermata/models/rtl/clocked_block.h>

#include "tests/support/test.h"

namespace fermata::rtl::test {

/// Checks that the response is there after the edge, and neither before it nor after the next.
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
