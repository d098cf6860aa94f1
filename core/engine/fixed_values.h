// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <map>
#include <optional>
#include <string>

namespace seedwave {

/// The numbers that `auto` has stood for since the first run of each operation. Those of operations
/// that read strokes stay fixed, so that a new stroke does not change them. They describe the label
/// that they were estimated from, and are not used for another one. All others are estimated by
/// each run, from the image and the other values, as a recipe does it.
class FixedValues {
 public:
  /// Empty before the operation's first run. `asked`: the values requested for the next run.
  [[nodiscard]] Values of(const Operation& operation, const Values& asked) const;
  /// Returns the values set by the user, with the numbers that stay fixed in place of `auto`.
  [[nodiscard]] Values filled(const Operation& operation, const Values& asked) const;
  /// Keeps the numbers that a run used for `auto`. Returns whether this changed anything.
  bool keep(const Operation& operation, const Values& asked, const Values& used);

 private:
  struct Kept {
    Values numbers;
    /// The labels that the run used, by parameter.
    Values labels;
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  std::map<std::string, Kept> kept_;
};

/// Returns whether the operation has values that it can estimate.
[[nodiscard]] bool has_automatic_values(const Operation& operation);

}  // namespace seedwave
