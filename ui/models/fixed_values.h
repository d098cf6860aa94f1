// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <map>
#include <optional>
#include <string>

namespace seedwave::ui {

/// The numbers that `auto` stands for since the first run of each operation: they stay, so that a
/// stroke changes nothing but itself. They describe one object: with another one (the parameter
/// `object`) they hold no longer, and the next run estimates anew.
class FixedValues {
 public:
  /// Those that hold for what is asked; empty before the first run for its object.
  [[nodiscard]] Values of(const Operation& operation, const Values& asked) const;
  /// What the user set, with the kept numbers in the place of `auto`.
  [[nodiscard]] Values filled(const Operation& operation, const Values& asked) const;
  /// Keeps what a run used where `auto` was asked. True when that changed anything.
  bool keep(const Operation& operation, const Values& asked, const Values& used);
  /// The next run estimates anew.
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    Values numbers;
    /// The object that they were estimated for; nothing where the operation knows none.
    std::optional<Value> object;
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  std::map<std::string, Kept> kept_;
};

}  // namespace seedwave::ui
