// A router with one queue, and one virtual channel, at each input: BookSim's IQRouter with
// num_vcs = 1, as GPGPU-Sim's configurations of Fermi have it. The router does `steps` steps per
// cycle (internal_speedup). A message takes one step for the virtual channel of its output and one
// for each flit. Until its last flit has gone, its input and its output serve no other message.
//
//   2 steps per cycle; input 0: messages a, b of one flit for outputs 0, 1; input 1: c for output 0
//   step 0: a gets output 0          step 1: a goes
//   step 2: b gets 1, c gets 0       step 3: b and c go
//   so each input sends one message per cycle, also if its next one is for another output
//
// An output gives its channel to the inputs in turn. Behind the router each output has a queue
// without limit and a link of one flit per cycle.
#pragma once

#include <fermata/models/memory/input_queues.h>

#include <algorithm>

namespace fermata {

template <class Item>
class RouterQueues {
 public:
  RouterQueues(unsigned inputs, unsigned outputs, unsigned steps)
      : steps_(steps),
        inputs_(inputs),
        outputs_(outputs, Output(inputs)),
        asked_(outputs),
        behind_(inputs) {}

  bool empty() const { return waiting_ == 0; }
  /// Adds a message whose last flit has come.
  void push(unsigned input, unsigned output, Cycle flits, Item item) {
    inputs_[input].queue.push({output, flits, item});
    ++waiting_;
    if (inputs_[input].queue.size() == 1) behind_.insert(input);
  }
  /// Does the steps of cycle `now`. Calls `passed(item, at)` for each message that gets its output:
  /// its last flit is over the link in cycle `at`.
  /// An output gives its channel away only while `takes(output)`.
  template <class Takes, class Passed>
  void run(Cycle now, Takes takes, Passed passed) {
    for (Cycle step = now * steps_; step < (now + 1) * steps_; ++step) {
      showHeads(step);
      for (unsigned o = asked_.next(0); o != NumberSet::kNone; o = asked_.next(o + 1)) {
        if (outputs_[o].free <= step && takes(o)) pass(o, step, passed);
      }
    }
  }

 private:
  struct Message {
    unsigned output = 0;
    Cycle flits = 1;
    Item item{};
  };
  struct Input {
    Ring<Message> queue;
    Cycle free = 0;  ///< step in which its next head asks for an output
  };
  struct Output {
    explicit Output(unsigned inputs) : asking(inputs) {}
    NumberSet asking;   ///< inputs whose head is for this output
    unsigned turn = 0;  ///< the input that goes first
    Cycle free = 0;     ///< step in which its channel is free
    Cycle link = 0;     ///< cycle in which its link is free
  };

  void showHeads(Cycle step) {
    for (unsigned i = behind_.next(0); i != NumberSet::kNone; i = behind_.next(i + 1)) {
      if (inputs_[i].free > step) continue;
      behind_.erase(i);
      const unsigned output = inputs_[i].queue.front().output;
      outputs_[output].asking.insert(i);
      asked_.insert(output);
    }
  }
  template <class Passed>
  void pass(unsigned o, Cycle step, Passed& passed) {
    Output& output = outputs_[o];
    unsigned i = output.asking.next(output.turn);
    if (i == NumberSet::kNone) i = output.asking.next(0);
    output.turn = i + 1;
    output.asking.erase(i);
    if (output.asking.empty()) asked_.erase(o);
    Input& input = inputs_[i];
    const Message message = input.queue.pop();
    --waiting_;
    if (!input.queue.empty()) behind_.insert(i);
    // Flits that came before the last one have gone as soon as input and output were free.
    const Cycle last = std::max(step + 1, std::max(input.free, output.free) + message.flits);
    input.free = last + 1;
    output.free = last + 1;
    output.link = std::max(output.link + message.flits, last / steps_ + 1);
    passed(message.item, output.link - 1);
  }

  Cycle steps_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  NumberSet asked_;   ///< outputs that some head is for
  NumberSet behind_;  ///< inputs whose head does not ask yet
  std::size_t waiting_ = 0;
};

}  // namespace fermata
