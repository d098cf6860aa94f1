// SPDX-License-Identifier: Apache-2.0
#include "ui/window/line_tool.h"

#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAction>

namespace seedwave::ui {

LineTool::LineTool(Actions& actions, Workbench& workbench, const RunController& runs,
                   ViewGrid& views, QObject* parent)
    : QObject(parent), actions_(actions), workbench_(workbench), runs_(runs), views_(views) {
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    middle_.reset();
    extent_ = {0, 0, 0};
    offer();
  });
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Operation) offer();
    if (part == Part::Values && !dragging_) refresh();
  });
  connect(&views_.settings(), &ViewSettings::tool_changed, this, &LineTool::choose);
  connect(&views_, &ViewGrid::line_dragged, this, &LineTool::drag);
  connect(&views_, &ViewGrid::line_placed, this, &LineTool::place);
  offer();
}

void LineTool::offer() {
  parameters_ = workbench_.has_image()
                    ? LineParameters(runs_.next().operation(), workbench_.image().geometry())
                    : LineParameters();
  actions_.at("tool_line")->setEnabled(parameters_.any());
  if (!parameters_.any() && views_.settings().tool() == Tool::Line)
    actions_.at("tool_navigate")->trigger();
  refresh();
}

void LineTool::choose() {
  refresh();
  if (views_.settings().tool() != Tool::Line || !parameters_.any()) return;
  emit said(tr("Drag a line: %1 (Shift: steps of 15°)")
                .arg(parameters_.titles().join(tr(" and ")).toLower()));
}

GridLine LineTool::line_of_values() const {
  const Geometry& grid = workbench_.image().geometry();
  const Vec3 middle = middle_.value_or(grid.to_index(views_.settings().display().cursor));
  const Vec3 extent = parameters_.extent_of(workbench_.document().current_values(), extent_);
  GridLine line;
  for (int axis = 0; axis < 3; ++axis) {
    line.from[axis] = middle[axis] - extent[axis] / 2;
    line.to[axis] = middle[axis] + extent[axis] / 2;
  }
  return line;
}

void LineTool::refresh() {
  if (views_.settings().tool() == Tool::Line && parameters_.any()) {
    show(line_of_values());
  } else {
    views_.set_line(std::nullopt);
  }
}

void LineTool::show(const GridLine& line) {
  const Geometry& grid = workbench_.image().geometry();
  views_.set_line(
      LineMark{.from = grid.to_world(line.from),
               .to = grid.to_world(line.to),
               .text = parameters_.text_of(workbench_.document().current_values(), line.extent())});
}

void LineTool::drag(const LineDrag& drag) {
  if (!parameters_.any()) return;
  switch (drag.phase) {
    case LineDrag::Phase::Began:
      dragging_ = true;
      values_before_ = workbench_.document().current_values();
      middle_before_ = middle_;
      extent_before_ = extent_;
      step_before_ = workbench_.steps().undo_stack().index();
      break;
    case LineDrag::Phase::Moved:
      draw(drag);
      break;
    case LineDrag::Phase::Ended:
      dragging_ = false;
      refresh();
      break;
    case LineDrag::Phase::Cancelled:
      cancel();
      break;
  }
}

void LineTool::draw(const LineDrag& drag) {
  const Geometry& grid = workbench_.image().geometry();
  GridLine line{grid.to_index(drag.from), grid.to_index(drag.to)};
  if (drag.kind == LineDrag::Kind::Moved) {
    middle_ = line.middle();
    refresh();
    return;
  }
  if (drag.snaps) line = snapped(line, grid, drag.slice_axis);
  if (line.empty()) return;
  Values values = workbench_.document().current_values();
  for (const auto& [id, value] : parameters_.values_of(line, values))
    values.set(id, value);
  // A drag is one step; the first change of a drag has no step to continue.
  const bool goes_on = workbench_.steps().undo_stack().index() > step_before_;
  workbench_.steps().set_values(values, parameters_.titles().join(tr(" and ")).toLower(),
                                goes_on ? Gesture::Continued : Gesture::New);
  // The displayed line follows the values: it starts where it was drawn.
  extent_ = parameters_.extent_of(values, line.extent());
  for (int axis = 0; axis < 3; ++axis)
    line.to[axis] = line.from[axis] + extent_[axis];
  middle_ = line.middle();
  show(line);
}

void LineTool::cancel() {
  if (workbench_.steps().undo_stack().index() > step_before_)
    workbench_.steps().set_values(values_before_, {}, Gesture::Continued);  // the step vanishes
  middle_ = middle_before_;
  extent_ = extent_before_;
  dragging_ = false;
  refresh();
}

void LineTool::place(const Vec3& world) {
  if (!parameters_.any()) return;
  middle_ = workbench_.image().geometry().to_index(world);
  refresh();
}

}  // namespace seedwave::ui
