// The interconnect as a crossbar with queues at its inputs: input_queues.h.
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/line_requester.h>

#include <algorithm>

namespace fermata {

namespace {

template <class Request>
bool answersLater(const Request* a, const Request* b) {
  return a->arrival != b->arrival ? a->arrival > b->arrival : a->answer > b->answer;
}

bool isSilent(const tlm::tlm_generic_payload& payload) {
  const LineRequest* const line = payload.get_extension<LineRequest>();
  return line != nullptr && line->silent;
}

}  // namespace

/// Takes an answer of memory, which is at its queue in cycle `arrival`.
void Interconnect::queueAnswer(Request& request) {
  request.answer = answerCount_++;
  answers_.push_back(&request);
  std::push_heap(answers_.begin(), answers_.end(), answersLater<Request>);
  due_.set(std::max(clock_.time(answers_.front()->arrival), clock_.stamp()));
}

/// Puts the messages that are there into their queues. An answer in several messages is at its port
/// when the last of them is.
void Interconnect::joinQueues(Cycle now) {
  const bool routes = parameters_.routerSteps != 0;
  while (!underWay_.empty() && underWay_.front().at <= now) {
    Request* const request = &popFirst();
    const Cycle length = flitsUp(*request->payload) + parameters_.messageGap;
    if (routes) {
      requestRouter_.push(request->port, request->slice, length, request);
    } else {
      requestQueues_.push(request->port, request->slice, length, request);
    }
  }
  while (!answers_.empty() && answers_.front()->arrival <= now) {
    std::pop_heap(answers_.begin(), answers_.end(), answersLater<Request>);
    Request* const request = answers_.back();
    answers_.pop_back();
    if (isSilent(*request->payload)) {
      request->leaves = request->arrival;
      passBack(*request);
      continue;
    }
    const Cycle parts = messages(*request->payload);
    const Cycle length =
        flitsDown(*request->payload, parameters_.bytesPerCycle) / parts + parameters_.messageGap;
    for (Cycle i = 1; i <= parts; ++i) {
      Request* const whole = i == parts ? request : nullptr;
      if (routes) {
        answerRouter_.push(request->slice, request->port, length, whole);
      } else {
        answerQueues_.push(request->slice, request->port, length, whole);
      }
    }
  }
}

/// Does the work of a cycle: what is there joins its queue, and the queues pass on what they can.
void Interconnect::cross() {
  const Cycle now = clock_.now();
  joinQueues(now);
  if (parameters_.routerSteps != 0) {
    route();
  } else {
    requestQueues_.run(now, [&](Request* request) { slices_[request->slice]->passed(*request); });
    answerQueues_.run(now, [&](Request* request) {
      if (request == nullptr) return;
      request->leaves = now;
      passBack(*request);
    });
  }
  Cycle next = kNever;
  if (!requestQueues_.empty() || !answerQueues_.empty() || !requestRouter_.empty() ||
      !answerRouter_.empty())
    next = now + 1;
  if (!underWay_.empty()) next = std::min(next, underWay_.front().at);
  if (!answers_.empty()) next = std::min(next, answers_.front()->arrival);
  if (next != kNever) due_.set(clock_.time(std::max(next, now + 1)));
}

void Interconnect::route() {
  const Cycle now = clock_.now();
  const auto takes = [&](unsigned slice) { return slices_[slice]->waiting() < parameters_.queue; };
  requestRouter_.run(now, takes, [&](Request* request, Cycle at) {
    request->at = std::max(request->at, at);
    const unsigned port = request->port;
    const auto length = static_cast<unsigned>(flitsUp(*request->payload));
    slices_[request->slice]->passed(*request);
    leftRouter(port, length);
  });
  const auto always = [](unsigned) { return true; };
  answerRouter_.run(now, always, [&](Request* request, Cycle at) {
    if (request == nullptr) return;
    request->leaves = at;
    passBack(*request);
  });
}

/// Tells the port that so many flits have left its queue before the router.
void Interconnect::leftRouter(unsigned number, unsigned flits) {
  Port& port = *ports_[number];
  if (islands_) {
    port.back.push_back({nullptr, 0, flits});
    if (port.seenToHold && waits_) waits_();
    return;
  }
  port.inside -= flits;
  endHeldInside(port);
}

void Interconnect::endHeldInside(Port& port) {
  if (port.held != nullptr && port.inside <= parameters_.queue) endHeld(port);
}

}  // namespace fermata
