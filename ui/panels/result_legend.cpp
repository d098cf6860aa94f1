// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/result_legend.h"

#include "ui/models/label_size.h"
#include "ui/panels/swatch.h"

#include <QGridLayout>
#include <QLocale>
#include <QToolButton>

#include <set>
#include <utility>

namespace seedwave::ui {

namespace {

/// The largest number of phases; more colours cannot be distinguished.
constexpr std::size_t kMostEntries = 16;
constexpr int kColumns = 3;

QString share_text(std::int64_t voxels, std::int64_t all) {
  const double percent = 100.0 * static_cast<double>(voxels) / static_cast<double>(all);
  constexpr double kLeast = 0.1;
  const bool tiny = voxels > 0 && percent < kLeast;
  const QString number = QLocale().toString(tiny ? kLeast : percent, 'f', 1);
  return (tiny ? ResultLegend::tr("< %1 %") : ResultLegend::tr("%1 %")).arg(number);
}

}  // namespace

ResultLegend::ResultLegend(const Workbench& workbench, const RunController& runs, ColorOf color_of,
                           QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      runs_(runs),
      color_of_(std::move(color_of)),
      layout_(new QGridLayout(this)) {
  setObjectName(QStringLiteral("result_legend"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  layout_->setContentsMargins(9, 0, 9, 6);
  layout_->setVerticalSpacing(2);
  layout_->setHorizontalSpacing(12);
  layout_->setColumnStretch(kColumns, 1);
  // All buttons are created at once: Tab would reach later ones at the end.
  for (std::size_t i = 0; i < kMostEntries; ++i)
    add_button(i);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &ResultLegend::refresh);
  connect(&runs_.history(), &KeptRuns::changed, this, &ResultLegend::refresh);
  connect(&runs_.displayed(), &DisplayedResult::part_changed, this, &ResultLegend::refresh);
  refresh();
}

std::vector<ResultLegend::Entry> ResultLegend::entries() const {
  const Run* run = runs_.displayed().run();
  if (run == nullptr || runs_.displayed().part().has_value() || !runs_.displayed().has_objects() ||
      run->facts.voxels.size() > kMostEntries) {
    return {};
  }
  std::vector<Entry> result;
  std::set<QRgb> colors;
  for (const auto& [label, voxels] : run->facts.voxels) {
    result.push_back({label, runs_.displayed().label_text(label), color_of_(label), voxels});
    colors.insert(result.back().color.rgb());
  }
  // Colours repeat if the image leaves few of them; a legend would then be ambiguous.
  return colors.size() == result.size() ? result : std::vector<Entry>();
}

void ResultLegend::add_button(std::size_t number) {
  auto* button = new QToolButton(this);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  button->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(button, &QToolButton::clicked, this, [this, button, number] {
    emit menu_requested(shown_[number].label, button->mapToGlobal(button->rect().bottomLeft()));
  });
  connect(button, &QWidget::customContextMenuRequested, this,
          [this, button, number](const QPoint& place) {
            emit menu_requested(shown_[number].label, button->mapToGlobal(place));
          });
  const auto place = static_cast<int>(number);
  layout_->addWidget(button, place / kColumns, place % kColumns, Qt::AlignLeft);
  buttons_.push_back(button);
}

void ResultLegend::show_entry(const Entry& entry, QToolButton& button) const {
  const Geometry& geometry = workbench_.image().geometry();
  const QString share = share_text(entry.voxels, geometry.voxel_count());
  const QString all =
      tr("%1: %2, %3 of the image").arg(entry.name, size_text(geometry, entry.voxels), share);
  button.setIcon(swatch(entry.color));
  button.setText(QStringLiteral("%1  %2").arg(entry.label).arg(share));
  button.setAccessibleName(all);
  button.setToolTip(all);
}

void ResultLegend::refresh() {
  std::vector<Entry> now = entries();
  setVisible(!now.empty());
  if (now == shown_) return;
  shown_ = std::move(now);
  // The focus moves to the last entry if its own is hidden.
  for (std::size_t i = shown_.size(); i < buttons_.size() && !shown_.empty(); ++i) {
    if (buttons_[i]->hasFocus()) buttons_[shown_.size() - 1]->setFocus();
  }
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    buttons_[i]->setVisible(i < shown_.size());
    if (i < shown_.size()) show_entry(shown_[i], *buttons_[i]);
  }
}

}  // namespace seedwave::ui
