// SPDX-License-Identifier: Apache-2.0
#include "ui/models/document_commands.h"

#include <utility>

namespace seedwave::ui {

void DocumentCommand::tell() const {
  if (part_ == Part::Channel) workbench_.take_channel();
  emit workbench_.part_changed(part_);
}

AddStroke::AddStroke(Workbench& workbench, Stroke stroke, const QString& name)
    : DocumentCommand(workbench, Part::Seeds, name), stroke_(std::move(stroke)) {}

void AddStroke::redo() {
  document().seeds.strokes.push_back(stroke_);
  tell();
}

void AddStroke::undo() {
  document().seeds.strokes.pop_back();
  tell();
}

WithdrawStrokes::WithdrawStrokes(Workbench& workbench, std::vector<std::size_t> rows,
                                 const QString& name)
    : DocumentCommand(workbench, Part::Seeds, name), rows_(std::move(rows)) {
  for (const std::size_t row : rows_)
    strokes_.push_back(document().seeds.strokes[row]);
}

void WithdrawStrokes::redo() {
  auto& strokes = document().seeds.strokes;
  for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
    strokes.erase(strokes.begin() + static_cast<std::ptrdiff_t>(*row));
  }
  tell();
}

void WithdrawStrokes::undo() {
  auto& strokes = document().seeds.strokes;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    strokes.insert(strokes.begin() + static_cast<std::ptrdiff_t>(rows_[i]), strokes_[i]);
  }
  tell();
}

}  // namespace seedwave::ui
