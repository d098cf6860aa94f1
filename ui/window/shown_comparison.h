// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/comparison.h"
#include "ui/models/run_controller.h"

#include <QObject>

#include <optional>

namespace seedwave::ui {

/// Display modes of a comparison of two runs.
enum class CompareMode {
  /// Agreement and difference in every plane.
  Difference,
  /// The same plane twice, A left and B right, with linked crosshair, slice, pan and zoom.
  SideBySide,
  /// B in every plane, and A in its place while a key is held.
  Blink,
  /// A left of a divider and B right of it, in every plane.
  Wipe,
};

/// Two runs that the views show together instead of the result, and how. Ends when another result
/// is displayed.
class ShownComparison : public QObject {
  Q_OBJECT

 public:
  explicit ShownComparison(const RunController& runs);

  void begin(const Compared& compared);
  void end();
  /// Returns the two runs that are compared, or nothing.
  [[nodiscard]] const std::optional<Compared>& compared() const noexcept { return compared_; }
  void set_mode(CompareMode mode);
  /// Returns the chosen mode. Runs without labels have no difference; they are shown with a wipe
  /// instead.
  [[nodiscard]] CompareMode mode() const noexcept {
    const bool can = !compared_ || compared_->has_agreement();
    return can || mode_ != CompareMode::Difference ? mode_ : CompareMode::Wipe;
  }
  /// While true, swaps the display of A and B.
  void set_other_run_shown(bool shown);

  [[nodiscard]] bool shows_difference() const noexcept {
    return is(CompareMode::Difference) && !other_run_shown_;
  }
  [[nodiscard]] bool side_by_side() const noexcept { return is(CompareMode::SideBySide); }
  [[nodiscard]] bool wipes() const noexcept { return is(CompareMode::Wipe); }
  /// Returns whether the planes show run A; a second view shows the other one.
  [[nodiscard]] bool planes_show_a() const noexcept {
    return (side_by_side() || wipes()) != other_run_shown_;
  }

 signals:
  /// The comparison began, ended, or changed its mode.
  void changed();
  /// A and B have swapped places.
  void swapped();

 private:
  [[nodiscard]] bool is(CompareMode mode) const noexcept {
    return compared_ && this->mode() == mode;
  }

  std::optional<Compared> compared_;
  CompareMode mode_ = CompareMode::Difference;
  bool other_run_shown_ = false;
};

}  // namespace seedwave::ui
