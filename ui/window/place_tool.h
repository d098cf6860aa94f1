// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/pointer_curve.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

namespace seedwave::ui {

class ViewGrid;

/// The place tool: a click in a view sets the place that the chosen operation looks at, a cross
/// shows it, and while the pointer is over the image its curve is that of the pixel under it. Knows
/// of no operation; all comes from the table.
class PlaceTool : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  PlaceTool(Actions& actions, Workbench& workbench, const RunController& runs,
            PointerCurve& pointer, ViewGrid& views, QObject* parent = nullptr);

 signals:
  /// What the tool is for, when it is chosen.
  void said(const QString& text);

 private:
  /// Another operation or another image: whether it has a place.
  void offer();
  void choose();
  void pick(const Vec3& world);
  void show();
  [[nodiscard]] const Parameter* parameter() const;

  Actions& actions_;
  Workbench& workbench_;
  const RunController& runs_;
  ViewGrid& views_;
};

}  // namespace seedwave::ui
