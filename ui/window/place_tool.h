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

/// The place tool: a click in a view sets the place parameter of the chosen operation, and a cross
/// marks it. While the pointer is over the image, the curve is that of the pixel under it.
/// Independent of operations: everything comes from the table.
class PlaceTool : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  PlaceTool(Actions& actions, Workbench& workbench, const RunController& runs,
            PointerCurve& pointer, ViewGrid& views, QObject* parent = nullptr);

 signals:
  /// Describes the tool when it is chosen.
  void said(const QString& text);

 private:
  /// Enables the tool if the operation has a place on this image.
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
