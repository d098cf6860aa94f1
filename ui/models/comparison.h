// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/make_run.h"
#include "core/engine/run_history.h"
#include "core/metrics/agreement.h"
#include "core/metrics/scored.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// One of two compared runs, with its outputs; or the reference.
struct ComparedRun {
  /// 0: the reference.
  std::uint64_t id = 0;
  std::string operation;
  RunPicture picture;
  /// The labels are objects that an operation numbered.
  bool has_objects = false;
  /// See ranks_in().
  int ranks = 0;
};

/// Two runs side by side: their differences, and where their labels agree.
struct Compared {
  ComparedRun a;
  ComparedRun b;
  /// See Comparison::differences_of().
  std::vector<RunDifference> differences;
  /// The map is empty if one of the runs has no labels.
  Agreement agreement;
  /// The agreement is that of objects, not of labels.
  bool is_of_objects = false;

  [[nodiscard]] bool has_agreement() const noexcept { return !agreement.map.empty(); }
  /// Returns whether A is the reference, and B a run.
  [[nodiscard]] bool is_with_reference() const noexcept { return a.id == 0; }
};

/// Compares runs of the history in the background.
class Comparison : public QObject {
  Q_OBJECT

 public:
  /// `runs` must outlive this object.
  explicit Comparison(const RunController& runs, QObject* parent = nullptr);

  /// Starts a comparison. Evicted results are recomputed, which `waits` reports.
  void start(std::uint64_t a, std::uint64_t b);
  /// Starts a comparison of the displayed result with the reference, of which some may count only
  /// where it has labels. There is no such comparison without labels.
  void start_with(const LabelMap& reference, Scored scored);
  /// Returns the current differences of two runs, in the panel's words; nothing if one of them has
  /// been removed.
  [[nodiscard]] std::optional<std::vector<RunDifference>> differences_of(std::uint64_t a,
                                                                         std::uint64_t b) const;
  /// Returns the two runs to compare for the `chosen` ones; nothing if there are no two.
  ///
  /// Two chosen runs are compared with each other. One is compared with the pinned run A, or with
  /// the displayed run if A is missing or the same. If none is chosen, the displayed run is
  /// compared with A, or else with its predecessor. The pinned or older run is first.
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] std::optional<Pair> pair_of(const std::vector<std::uint64_t>& chosen) const;

 signals:
  /// `what`: the reason for the wait, in a sentence.
  void waits(const QString& what);
  void ready(const seedwave::ui::Compared& compared);
  void failed(const QString& message);

 private:
  const RunController& runs_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
