// The interconnect as a crossbar with queues at its inputs: input_queues.h.
#include <fermata/models/memory/interconnect.h>

#include <algorithm>

namespace fermata {

namespace {

template <class Request>
bool answersLater(const Request* a, const Request* b) {
  return a->arrival != b->arrival ? a->arrival > b->arrival : a->answer > b->answer;
}

}  // namespace

/// Takes an answer of memory, which is at its queue in cycle `arrival`.
void Interconnect::queueAnswer(Request& request) {
  request.answer = answerCount_++;
  answers_.push_back(&request);
  std::push_heap(answers_.begin(), answers_.end(), answersLater<Request>);
  due_.set(std::max(clock_.time(answers_.front()->arrival), sc_core::sc_time_stamp()));
}

/// Does the work of a cycle: what is there joins its queue, and the queues pass on what they can.
/// An answer in several messages is at its port when the last of them is.
void Interconnect::cross() {
  const Cycle now = clock_.now();
  while (!underWay_.empty() && underWay_.front().at <= now) {
    Request* const request = &popFirst();
    requestQueues_.push(request->port, request->slice,
                        flitsUp(*request->payload) + parameters_.messageGap, request);
  }
  while (!answers_.empty() && answers_.front()->arrival <= now) {
    std::pop_heap(answers_.begin(), answers_.end(), answersLater<Request>);
    Request* const request = answers_.back();
    answers_.pop_back();
    const Cycle parts = messages(*request->payload);
    const Cycle each = flitsDown(*request->payload, parameters_.bytesPerCycle) / parts;
    for (Cycle i = 1; i <= parts; ++i)
      answerQueues_.push(request->slice, request->port, each + parameters_.messageGap,
                         i == parts ? request : nullptr);
  }
  requestQueues_.run(now, [&](Request* request) { slices_[request->slice]->passed(*request); });
  answerQueues_.run(now, [&](Request* request) {
    if (request == nullptr) return;
    request->leaves = now;
    passBack(*request);
  });
  Cycle next = kNever;
  if (!requestQueues_.empty() || !answerQueues_.empty()) next = now + 1;
  if (!underWay_.empty()) next = std::min(next, underWay_.front().at);
  if (!answers_.empty()) next = std::min(next, answers_.front()->arrival);
  if (next != kNever) due_.set(clock_.time(std::max(next, now + 1)));
}

}  // namespace fermata
