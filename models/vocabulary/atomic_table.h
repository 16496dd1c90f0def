// How a machine serves each form of shared atomics. Example, an A100:
//
//   merged  count                     lanes that add 1 to a word merge
//   loops   float double half wide    a loop of load, addition, compare and swap
//   other forms                       a pass per lane of the fullest bank
//
// No SystemC.
#pragma once

#include <fermata/models/vocabulary/choice.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <string>
#include <string_view>

namespace fermata {

template <>
inline constexpr NamedChoice<AtomicForm> kChoices<AtomicForm>[] {
  {AtomicForm::Plain, "plain"}, {AtomicForm::Count, "count"}, {AtomicForm::Swap, "swap"},
      {AtomicForm::Float, "float"}, {AtomicForm::Double, "double"}, {AtomicForm::Half, "half"}, {
    AtomicForm::Wide, "wide"
  }
};

/// A set of forms.
class AtomicForms {
 public:
  /// Reads names, such as "float double", separated by blanks. Returns an empty text on success;
  /// otherwise the error, and `into` is unchanged.
  static std::string read(std::string_view text, AtomicForms& into) {
    AtomicForms forms;
    while (!text.empty()) {
      const std::string_view name = text.substr(0, text.find(' '));
      AtomicForm form{};
      if (!name.empty() && !choose(form, name)) return '\'' + std::string(name) + "' is no form";
      if (!name.empty()) forms.forms_ |= bit(form);
      text.remove_prefix(name.size() + (name.size() < text.size() ? 1 : 0));
    }
    into = forms;
    return "";
  }
  /// Returns the names in the order of AtomicForm.
  std::string text() const {
    std::string names;
    for (const NamedChoice<AtomicForm>& choice : kChoices<AtomicForm>) {
      if (has(choice.value)) names += (names.empty() ? "" : " ") + std::string(choice.name);
    }
    return names;
  }
  bool has(AtomicForm form) const { return (forms_ & bit(form)) != 0; }
  bool empty() const { return forms_ == 0; }

 private:
  static constexpr unsigned bit(AtomicForm form) { return 1U << static_cast<unsigned>(form); }
  unsigned forms_ = 0;
};

struct AtomicTable {
  AtomicForms merged;        ///< lanes on one word merge, as those of a load
  AtomicForms loops;         ///< loops of a load, the operation, a swap, a test and a branch
                             ///< (core/spin_loop.h)
  unsigned swapPasses = 1;   ///< passes of a swap for each pass of a plain atomic: 1 to 3
  unsigned latency = 0;      ///< cycles beyond those of a load with as many passes
  unsigned swapLatency = 0;  ///< cycles of a swap beyond those of a load with as many passes
  /// Cycles from the test of a loop's swap to the branch, beyond those of an integer instruction.
  unsigned testLatency = 0;
};

}  // namespace fermata
