// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace seedwave {

/// A parameter's value: a number, or a word ("auto", "all", one of the choices).
using Value = std::variant<double, std::string>;

/// The word for a number that is estimated from the input.
inline constexpr const char* kAuto = "auto";

/// The values of an operation's parameters by id. Values from checked_values() are complete and
/// checked; an implementation may rely on it.
class Values {
 public:
  Values() = default;
  Values(std::initializer_list<std::pair<const std::string, Value>> values) : values_(values) {}

  void set(const std::string& id, Value value) { values_[id] = std::move(value); }
  [[nodiscard]] bool has(const std::string& id) const { return values_.contains(id); }
  [[nodiscard]] const Value& at(const std::string& id) const { return values_.at(id); }
  /// Returns the number; the value must be one.
  [[nodiscard]] double number(const std::string& id) const {
    return std::get<double>(values_.at(id));
  }
  /// Returns the word; the value must be one.
  [[nodiscard]] const std::string& word(const std::string& id) const {
    return std::get<std::string>(values_.at(id));
  }
  [[nodiscard]] bool is_word(const std::string& id) const {
    return std::holds_alternative<std::string>(values_.at(id));
  }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  friend bool operator==(const Values&, const Values&) = default;

 private:
  std::map<std::string, Value> values_;
};

}  // namespace seedwave
