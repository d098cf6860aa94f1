// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/engine/case_list.h"
#include "core/engine/sweep/sweep_subject.h"
#include "core/engine/sweep/vary.h"
#include "core/image/label_map.h"
#include "core/ops/operation_table.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::cli {

/// The thing that the first word of a sweep names: an operation, or the file of a recipe. It knows
/// the flags, and how they make a computation.
class SweepTarget {
 public:
  /// A computation on an image that was read, with its reference (empty: none).
  struct Loaded {
    std::shared_ptr<const SweepSubject> subject;
    LabelMap reference;
    std::vector<std::string> warnings;
  };

  SweepTarget() = default;
  SweepTarget(const SweepTarget&) = delete;
  SweepTarget& operator=(const SweepTarget&) = delete;
  virtual ~SweepTarget() = default;

  [[nodiscard]] virtual SweepSubject::Name name() const = 0;
  /// Returns the path of the recipe's file; "" for an operation.
  [[nodiscard]] virtual std::string file() const = 0;
  /// Returns a paragraph for the help page.
  [[nodiscard]] virtual std::string about() const = 0;
  /// Returns the flags of the image, its part, and the other inputs.
  [[nodiscard]] virtual FlagGroup input_flags() const = 0;
  /// Returns the flags of values that can be set, and of how the runs are made.
  [[nodiscard]] virtual std::vector<FlagGroup> run_flags() const = 0;
  /// Returns the name of the flag for the labels to score.
  [[nodiscard]] virtual std::string labels_flag() const = 0;
  /// Throws UsageError.
  [[nodiscard]] virtual Vary parse_vary(const std::string& text) const = 0;
  [[nodiscard]] virtual SweepAxis axis_of(const Vary& vary, bool image_is_2d) const = 0;
  /// Throws UsageError, InputError.
  [[nodiscard]] virtual std::vector<ListedCase> parse_cases(const std::string& text) const = 0;
  /// Reads the image and the other inputs that `inputs` names. `set`: the flags of run_flags().
  /// `varied`: the parameters that get their values later. Throws UsageError, InputError,
  /// Cancelled.
  [[nodiscard]] virtual Loaded load(const Arguments& inputs, const Arguments& set,
                                    const std::vector<Vary>& varied, Context& context) const = 0;
  /// Returns the command that makes a run with these values on the image that `inputs` names; ""
  /// if there is none.
  [[nodiscard]] virtual std::string command(const Arguments& inputs, const Arguments& set,
                                            const Values& varied) const = 0;
  /// Returns the recipe with these values; nothing for an operation.
  [[nodiscard]] virtual std::optional<std::string> recipe_with(const Values& varied) const = 0;
};

/// Returns the operation of that name, or the recipe in that file. Throws UsageError, InputError.
/// `table` must outlive it.
[[nodiscard]] std::unique_ptr<SweepTarget> sweep_target(const OperationTable& table,
                                                        const std::string& word);

}  // namespace seedwave::cli
