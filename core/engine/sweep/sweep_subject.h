// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/ops/run.h"
#include "core/parallel/context.h"

#include <optional>
#include <set>
#include <string>

namespace seedwave {

/// A computation that a sweep repeats with other values of some parameters.
///
/// Its methods may be called from any thread.
class SweepSubject {
 public:
  /// Its kind in reports ("operation", "recipe"), and its name.
  struct Name {
    std::string kind;
    std::string name;
  };
  /// The result of one run. `labels`: empty if it gives none.
  struct Result {
    RunFacts facts;
    std::optional<LabelMap> labels;
  };

  SweepSubject() = default;
  SweepSubject(const SweepSubject&) = delete;
  SweepSubject& operator=(const SweepSubject&) = delete;
  virtual ~SweepSubject() = default;

  [[nodiscard]] virtual Name name() const = 0;
  /// Returns the values that are set for all runs, by the names that a sweep varies.
  [[nodiscard]] virtual Values values() const = 0;
  /// Grid and type of its image.
  [[nodiscard]] virtual const Geometry& grid() const = 0;
  [[nodiscard]] virtual VoxelType type() const = 0;
  /// Returns the labels that its runs are given by seeds.
  [[nodiscard]] virtual std::set<Label> seeded_labels() const = 0;
  /// Returns whether its runs give labels.
  [[nodiscard]] virtual bool gives_labels() const = 0;
  /// Makes a run with these values beside those that are set. Throws UsageError if they cannot be
  /// combined; the other errors of run_operation(); Cancelled.
  [[nodiscard]] virtual Result run(const Values& varied, Context& context) const = 0;
};

/// An operation with its inputs.
class OperationSubject final : public SweepSubject {
 public:
  /// `table` must outlive this. Throws UsageError (operation, values), InputError (inputs).
  OperationSubject(const OperationTable& table, RunRequest request);

  [[nodiscard]] Name name() const override { return {"operation", request_.operation}; }
  [[nodiscard]] Values values() const override { return request_.values; }
  [[nodiscard]] const Geometry& grid() const override { return request_.inputs.image.geometry(); }
  [[nodiscard]] VoxelType type() const override { return request_.inputs.image.type(); }
  [[nodiscard]] std::set<Label> seeded_labels() const override;
  [[nodiscard]] bool gives_labels() const override;
  /// Gives the digest of run_operation() with the same values.
  [[nodiscard]] Result run(const Values& varied, Context& context) const override;

 private:
  const OperationTable& table_;
  RunRequest request_;
};

}  // namespace seedwave
