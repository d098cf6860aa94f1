// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/input_row.h"

#include "ui/panels/narrow_list.h"
#include "ui/panels/row_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace seedwave::ui {

namespace {

/// Data of rows that are not entries of `offered_`.
enum Special { kAsOpened = -1, kFile = -2 };

/// Older runs can be restored first, which makes them the newest.
constexpr std::size_t kMostRuns = 30;

QString title_of(InputKind kind) {
  switch (kind) {
    case InputKind::Image:
      return InputRow::tr("Image");
    case InputKind::Marker:
      return InputRow::tr("Marker");
    case InputKind::Mask:
      return InputRow::tr("Mask");
    case InputKind::Seeds:
      break;
  }
  return QString::fromStdString(name_of(kind));
}

bool lies_on(const Run& run, const OutputSpec& output, const Geometry& grid) {
  if (output.image() != nullptr && output.image()->own_grid) return false;
  if (output.on_request && !run.recipe.requested.contains(output.id)) return false;
  if (output.labels() != nullptr) {
    return run.labels.empty() || same_grid(run.labels.geometry(), grid);
  }
  const auto image = run.images.find(output.id);
  return output.image() != nullptr &&
         (image == run.images.end() || same_grid(image->second.geometry(), grid));
}

QString text_of_output(const Run& run, const Operation& operation, const OutputSpec& output) {
  const QString title = QString::fromStdString(operation.title);
  if (operation.outputs.size() == 1) return InputRow::tr("Run %1: %2").arg(run.id).arg(title);
  // The output comes first, because a narrow list cuts off the end.
  return InputRow::tr("Run %1, %2: %3").arg(run.id).arg(QString::fromStdString(output.id), title);
}

}  // namespace

InputRow::InputRow(const InputSpec& input, QWidget* parent) : QWidget(parent), input_(input) {
  const QString title = title_of(input_.kind);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* label = make_row_label(title, this);
  layout->addWidget(label);
  list_ = new QComboBox(this);
  list_->setObjectName(QString::fromStdString("input_" + name_of(input_.kind)));
  list_->setAccessibleName(title);
  list_->setToolTip(QString::fromStdString(input_.help));
  make_narrow(*list_, 12);
  label->setBuddy(list_);
  label->setToolTip(list_->toolTip());
  layout->addWidget(list_, 1);
  connect(list_, &QComboBox::activated, this, &InputRow::on_activated);
}

void InputRow::show_choices(const OperationTable& table, const RunHistory& history,
                            const Geometry& grid, const std::optional<InputChoice>& chosen) {
  const QSignalBlocker block(list_);
  list_->clear();
  offered_.clear();
  const auto offer = [this](const QString& text, const InputChoice& choice) {
    list_->addItem(text, static_cast<int>(offered_.size()));
    list_->setItemData(list_->count() - 1, text, Qt::ToolTipRole);
    offered_.push_back(choice);
  };
  const bool image = input_.kind == InputKind::Image;
  list_->addItem(image             ? tr("the open image")
                 : input_.required ? tr("choose…")
                                   : tr("none"),
                 kAsOpened);
  if (chosen && !chosen->step) {
    offer(QString::fromStdString(chosen->file.path.filename().string()), *chosen);
  }
  if (!image) list_->addItem(tr("from file…"), kFile);
  const auto& runs = history.runs();
  for (std::size_t i = 0; i < std::min(runs.size(), kMostRuns); ++i) {
    const Run& run = runs[runs.size() - 1 - i];
    const Operation* operation = table.find(run.recipe.operation);
    if (operation == nullptr) continue;
    for (const OutputSpec& output : operation->outputs) {
      if (lies_on(run, output, grid))
        offer(text_of_output(run, *operation, output), output_of(run, output.id));
    }
  }
  if (chosen && std::find(offered_.begin(), offered_.end(), *chosen) == offered_.end()) {
    const bool listed = history.find(*chosen->step) != nullptr;
    offer((is_lost(*chosen->step) ? tr("Run %1, %2 (missing)")
           : listed               ? tr("Run %1, %2")
                                  : tr("Run %1, %2 (removed from the list)"))
              .arg(chosen->step->id)
              .arg(QString::fromStdString(chosen->output)),
          *chosen);
  }
  const auto place = chosen ? std::find(offered_.begin(), offered_.end(), *chosen) : offered_.end();
  shown_row_ =
      place == offered_.end() ? 0 : list_->findData(static_cast<int>(place - offered_.begin()));
  list_->setCurrentIndex(shown_row_);
  const QString help = QString::fromStdString(input_.help);
  list_->setToolTip(shown_row_ == 0 ? help
                                    : QStringLiteral("%1\n%2").arg(list_->currentText(), help));
}

bool InputRow::has_choice() const {
  return list_->count() > 1;
}

void InputRow::on_activated(int row) {
  const int entry = list_->itemData(row).toInt();
  if (entry == kFile) {
    list_->setCurrentIndex(shown_row_);  // until a file has been read
    emit file_wanted();
  } else if (entry == kAsOpened) {
    emit chosen(std::nullopt);
  } else {
    emit chosen(offered_[static_cast<std::size_t>(entry)]);
  }
}

}  // namespace seedwave::ui
