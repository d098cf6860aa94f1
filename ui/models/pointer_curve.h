// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/background_task.h"
#include "ui/models/plot_model.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <optional>

namespace seedwave::ui {

/// Returns the parameter that is a place in an image on such a grid, if the operation computes a
/// curve or other result for it; otherwise null.
[[nodiscard]] const Parameter* place_parameter(const Operation& operation, const Geometry& grid);

/// Draws in the plot the curve of the chosen operation for the pixel under the pointer. It is not a
/// run, and leaves nothing in the history.
///
/// Works for every operation with a place and a curve, known from the table only. Computes in the
/// background with the inputs of the next run. While one curve is computed, the newest place waits
/// and earlier ones are dropped. The pointer never waits, and curves keep arriving while it moves.
class PointerCurve : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  PointerCurve(Workbench& workbench, RunController& runs, PlotModel& plot,
               QObject* parent = nullptr);

  void set_followed(bool followed);
  [[nodiscard]] bool followed() const noexcept { return followed_; }
  void point_at(const Index3& index);
  void leave();

 private:
  /// Starts the waiting computation if none is running.
  void next();
  /// Computes the same place again after its inputs have changed.
  void renew();
  [[nodiscard]] bool can_look() const;

  Workbench& workbench_;
  RunController& runs_;
  PlotModel& plot_;
  bool followed_ = true;
  std::optional<Index3> pointed_;
  bool waits_ = false;
  BackgroundTask task_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
