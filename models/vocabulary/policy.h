// Policies: choices that change what a module does, each by code of its own. For warps, conflicts,
// atomics and cache replacement alike, a policy is a file that ends with its Descriptor, and an
// entry in the table of its kind. Names, refusals, parameters and checks follow from the
// descriptor.
#pragma once

#include <fermata/models/vocabulary/choice.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/models/vocabulary/range.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A whole number that a policy reads.
struct PolicyParameter {
  const char* path = nullptr;  ///< parameter of the platform, "scheduler.active_warps"; null: none
  unsigned standard = 0;       ///< value unless the platform sets one
  unsigned least = 0;
  unsigned most = 0;
  const char* unit = "";
  const char* meaning = "";
};

/// Values that a platform sets for the parameters of its policies.
class PolicyValues {
 public:
  unsigned of(const PolicyParameter& parameter) const {
    const auto set = values_.find(parameter.path);
    return set != values_.end() ? set->second : parameter.standard;
  }
  /// Returns the value, to be read or set. The reference stays valid.
  unsigned& at(const PolicyParameter& parameter) {
    return values_.try_emplace(parameter.path, parameter.standard).first->second;
  }

 private:
  std::map<std::string_view, unsigned> values_;  ///< by path
};

/// Describes a policy to the platform. `Policy::Needs` holds what it needs of the parts around it.
template <class Policy>
struct Descriptor {
  const char* name;
  std::unique_ptr<Policy> (*make)(const PolicyValues&);
  typename Policy::Needs needs{};
  std::array<PolicyParameter, 3> parameters{};

  /// Returns the policies that platform files can name. The first is the default.
  static const std::vector<const Descriptor*>& table();
};

/// Makes an Own that reads no values: the `make` of most descriptors.
template <class Policy, class Own = Policy>
std::unique_ptr<Policy> makePolicy(const PolicyValues&) {
  return std::make_unique<Own>();
}

/// A policy that has been chosen: one of its table, by name, or a descriptor of the user's own.
template <class Policy>
class Chosen {
 public:
  Chosen() : descriptor_(Descriptor<Policy>::table().front()) {}
  /// `own` must outlive the choice.
  Chosen(const Descriptor<Policy>& own) : descriptor_(&own) {}
  /// Throws BadInput if the table has no such name.
  Chosen(const char* name) {
    if (!choose(*this, name))
      throw BadInput("policy '" + std::string(name) + "'; expected one of " +
                     choiceNames<Chosen>());
  }

  std::unique_ptr<Policy> make(const PolicyValues& values = {}) const {
    return descriptor_->make(values);
  }
  const Descriptor<Policy>* operator->() const { return descriptor_; }
  bool operator==(const Chosen& other) const { return descriptor_ == other.descriptor_; }

 private:
  const Descriptor<Policy>* descriptor_;
};

/// The policies of a kind as choices, read from their table when they are asked for.
template <class Policy>
struct PolicyChoices {
  static const std::vector<NamedChoice<Chosen<Policy>>>& all() {
    static const std::vector<NamedChoice<Chosen<Policy>>> choices = [] {
      std::vector<NamedChoice<Chosen<Policy>>> all;
      for (const Descriptor<Policy>* one : Descriptor<Policy>::table())
        all.push_back({*one, one->name});
      return all;
    }();
    return choices;
  }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
};
template <class Policy>
inline constexpr PolicyChoices<Policy> kChoices<Chosen<Policy>>{};

template <class Policy>
const char* choiceName(const Chosen<Policy>& choice) {
  return choice->name;
}

/// Describes the parameters of the policies of a kind.
template <class Policy, class Visitor>
void describePolicies(PolicyValues& values, Visitor& visit) {
  for (const Descriptor<Policy>* policy : Descriptor<Policy>::table()) {
    for (const PolicyParameter& p : policy->parameters) {
      if (p.path == nullptr) continue;
      const Range range{static_cast<double>(p.least), static_cast<double>(p.most)};
      visit(p.path, values.at(p), p.unit, range, p.meaning);
    }
  }
}

/// Returns the names of the policies that `suits` accepts: "lrr, gto or two-level".
template <class Policy, class Suits>
std::string policiesThat(Suits suits) {
  std::vector<std::string> names;
  for (const Descriptor<Policy>* one : Descriptor<Policy>::table()) {
    if (suits(*one)) names.emplace_back(one->name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace fermata
