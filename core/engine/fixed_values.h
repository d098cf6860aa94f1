// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <map>
#include <optional>
#include <string>

namespace seedwave {

/// The numbers that `auto` stands for since the first run of each operation: they stay, so that a
/// stroke changes nothing but itself. They describe the label that they were taken from: with
/// another one chosen they are not offered.
class FixedValues {
 public:
  /// Empty before the operation's first run. `asked`: what the next run is asked for.
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
    /// The labels that the run named, by parameter.
    Values labels;
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  std::map<std::string, Kept> kept_;
};

/// Whether the operation has values that it can find by itself.
[[nodiscard]] bool has_automatic_values(const Operation& operation);

}  // namespace seedwave
