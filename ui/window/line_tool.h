// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/drawn_line.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/views/slice_state.h"

#include <QObject>
#include <QString>

#include <optional>

namespace seedwave::ui {

class ViewGrid;

/// The line tool: a line drawn in a view sets line parameters of the chosen operation, and shows
/// their values. Independent of operations: everything comes from the table.
class LineTool : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  LineTool(Actions& actions, Workbench& workbench, const RunController& runs, ViewGrid& views,
           QObject* parent = nullptr);

 signals:
  /// Describes the tool when it is chosen.
  void said(const QString& text);

 private:
  /// Enables the tool if the operation has parameters of a line on this image.
  void offer();
  void choose();
  void drag(const LineDrag& drag);
  void draw(const LineDrag& drag);
  void cancel();
  void place(const Vec3& world);
  /// Draws the line of the values around its middle.
  void refresh();
  void show(const GridLine& line);
  [[nodiscard]] GridLine line_of_values() const;

  Actions& actions_;
  Workbench& workbench_;
  const RunController& runs_;
  ViewGrid& views_;
  LineParameters parameters_;
  /// In voxels; empty before a line was drawn: at the crosshair.
  std::optional<Vec3> middle_;
  /// Extent of the last line, for components that the values do not determine.
  Vec3 extent_{0, 0, 0};
  /// State at the start of the drag: for Esc, and to make the drag one step.
  Values values_before_;
  std::optional<Vec3> middle_before_;
  Vec3 extent_before_{0, 0, 0};
  int step_before_ = 0;
  bool dragging_ = false;
};

}  // namespace seedwave::ui
