// A crossbar with one queue at each input. An output takes one message at a time, from the inputs
// in turn. The head of a queue whose output is taken holds those behind it, also if their outputs
// are free, so that under load many outputs stand idle.
//
//   input 0: messages for outputs 2, 3; input 1: for output 2; each takes one cycle
//   cycle 0: input 0 passes to output 2
//   cycle 1: input 1 passes to output 2, as it is its turn, and input 0 to output 3
//
// This is GPGPU-Sim's local crossbar (xbar_router::iSLIP_Advance). As there, outputs are served in
// rising order, and a queue whose head has passed shows its next message to the outputs behind:
// messages of one cycle for rising outputs may leave a queue together. A longer message holds its
// queue as long as its output.
#pragma once

#include <fermata/models/timing/ring.h>
#include <fermata/models/vocabulary/cycle.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

/// Set of small numbers.
class NumberSet {
 public:
  explicit NumberSet(unsigned size) : words_((size + 63) / 64) {}

  void insert(unsigned i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  void erase(unsigned i) { words_[i / 64] &= ~(std::uint64_t{1} << i % 64); }
  bool empty() const { return next(0) == kNone; }
  /// Returns the least number in the set, `from` or greater; kNone: there is none.
  unsigned next(unsigned from) const {
    std::size_t at = from / 64;
    if (at >= words_.size()) return kNone;
    std::uint64_t word = words_[at] & ~std::uint64_t{0} << from % 64;
    while (word == 0) {
      if (++at == words_.size()) return kNone;
      word = words_[at];
    }
    return static_cast<unsigned>(at * 64) + static_cast<unsigned>(__builtin_ctzll(word));
  }
  static constexpr unsigned kNone = ~0U;

 private:
  std::vector<std::uint64_t> words_;
};

template <class Item>
class InputQueues {
 public:
  InputQueues(unsigned inputs, unsigned outputs)
      : inputs_(inputs), outputs_(outputs, Output(inputs)), asked_(outputs), held_(inputs) {}

  bool empty() const { return waiting_ == 0; }
  /// Adds a message that takes its output for `cycles`.
  void push(unsigned input, unsigned output, Cycle cycles, Item item) {
    Input& from = inputs_[input];
    from.queue.push({output, cycles, item});
    ++waiting_;
    if (from.queue.size() == 1 && !from.held) show(input, output);
  }
  /// Lets the messages pass that can in cycle `now`. Calls `passed(item)` for each.
  template <class Passed>
  void run(Cycle now, Passed passed) {
    endHolds(now);
    for (unsigned o = asked_.next(0); o != NumberSet::kNone; o = asked_.next(o + 1)) {
      Output& output = outputs_[o];
      if (output.free > now) continue;
      unsigned input = output.asking.next(output.turn);
      if (input == NumberSet::kNone) input = output.asking.next(0);
      output.turn = input + 1;
      output.asking.erase(input);
      if (output.asking.empty()) asked_.erase(o);
      Input& from = inputs_[input];
      const Message message = from.queue.pop();
      --waiting_;
      output.free = now + message.cycles;
      from.free = now + message.cycles;
      from.held = message.cycles > 1;
      if (from.held) {
        held_.insert(input);
      } else if (!from.queue.empty()) {
        show(input, from.queue.front().output);
      }
      passed(message.item);
    }
  }

 private:
  struct Message {
    unsigned output = 0;
    Cycle cycles = 1;
    Item item{};
  };
  struct Input {
    Ring<Message> queue;
    Cycle free = 0;
    bool held = false;  ///< a message is passing: no head is shown
  };
  struct Output {
    explicit Output(unsigned inputs) : asking(inputs) {}
    NumberSet asking;   ///< inputs whose head is for this output
    unsigned turn = 0;  ///< the input that goes first
    Cycle free = 0;     ///< when it takes the next message
  };

  /// Shows the heads behind messages that have passed.
  void endHolds(Cycle now) {
    for (unsigned i = held_.next(0); i != NumberSet::kNone; i = held_.next(i + 1)) {
      if (inputs_[i].free > now) continue;
      held_.erase(i);
      inputs_[i].held = false;
      if (!inputs_[i].queue.empty()) show(i, inputs_[i].queue.front().output);
    }
  }
  void show(unsigned input, unsigned output) {
    outputs_[output].asking.insert(input);
    asked_.insert(output);
  }

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  NumberSet asked_;  ///< outputs that some head is for
  NumberSet held_;   ///< inputs whose message is passing
  std::size_t waiting_ = 0;
};

}  // namespace fermata
