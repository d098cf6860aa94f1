// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/background_task.h"
#include "ui/models/plot_model.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <optional>

namespace seedwave::ui {

/// The parameter that is a place in an image on such a grid, where what the operation gives for one
/// is a curve or anything else; null where there is none.
[[nodiscard]] const Parameter* place_parameter(const Operation& operation, const Geometry& grid);

/// The curve that the chosen operation gives for the pixel under the pointer, drawn in the plot
/// while the pointer is there: a look, not a run, which leaves nothing in the history.
///
/// Where the operation has a place and gives a curve; knows of no operation, all comes from the
/// table. Computed in the background with what the next run would be made from. While one is under
/// way the newest place waits, and those between are left out: the pointer is never waited for, and
/// the curve keeps coming while it moves.
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
  /// Computes what waits, once nothing is under way.
  void next();
  /// The same place again, where what it is made from has changed.
  void renew();
  [[nodiscard]] bool can_look() const;

  Workbench& workbench_;
  RunController& runs_;
  PlotModel& plot_;
  bool followed_ = true;
  std::optional<Index3> pointed_;
  bool waits_ = false;
  BackgroundTask task_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
