// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <map>
#include <string>

namespace seedwave::ui {

/// The numbers that `auto` stands for since the first run of each operation: they stay, so that a
/// stroke changes nothing but itself.
class FixedValues {
 public:
  /// Empty before the operation's first run.
  [[nodiscard]] Values of(const std::string& operation) const;
  /// What the user set, with the kept numbers in the place of `auto`.
  [[nodiscard]] Values filled(const Operation& operation, const Values& asked) const;
  /// Keeps what a run used where `auto` was asked. True when that changed anything.
  bool keep(const Operation& operation, const Values& asked, const Values& used);
  /// The next run estimates anew.
  void clear() { kept_.clear(); }

 private:
  std::map<std::string, Values> kept_;
};

}  // namespace seedwave::ui
