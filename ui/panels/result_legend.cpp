// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/result_legend.h"

#include "ui/models/label_size.h"
#include "ui/panels/swatch.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

#include <utility>

namespace seedwave::ui {

namespace {

/// As many as phases can be; more colours than that nobody tells apart.
constexpr std::size_t kMostEntries = 16;
constexpr int kColumns = 3;
/// Of a colour, in pixels.
constexpr int kSwatch = 16;

}  // namespace

ResultLegend::ResultLegend(const Workbench& workbench, const RunController& runs, ColorOf color_of,
                           QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      runs_(runs),
      color_of_(std::move(color_of)),
      entries_(new QGridLayout(this)) {
  setObjectName(QStringLiteral("result_legend"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  entries_->setContentsMargins(9, 0, 9, 6);
  entries_->setVerticalSpacing(2);
  entries_->setHorizontalSpacing(12);
  entries_->setColumnStretch(kColumns, 1);
  connect(&runs_, &RunController::shown_changed, this, &ResultLegend::refresh);
  connect(&runs_, &RunController::history_changed, this, &ResultLegend::refresh);
  refresh();
}

QWidget* ResultLegend::make_entry(std::uint16_t label, std::int64_t voxels) {
  const Geometry& geometry = workbench_.image().geometry();
  const double share =
      100.0 * static_cast<double>(voxels) / static_cast<double>(geometry.voxel_count());
  const QString percent = tr("%1 %").arg(QLocale().toString(share, 'f', 1));
  auto* entry = new QWidget(this);
  auto* row = new QHBoxLayout(entry);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  auto* colour = new QLabel(entry);
  colour->setPixmap(swatch(color_of_(label)).pixmap(kSwatch));
  row->addWidget(colour);
  row->addWidget(new QLabel(QStringLiteral("%1  %2").arg(label).arg(percent), entry), 1);
  entry->setToolTip(tr("%1: %2, %3 of the image")
                        .arg(runs_.label_text(label), size_text(geometry, voxels), percent));
  entry->setContextMenuPolicy(Qt::CustomContextMenu);
  // Queued: a menu is open for long, and a result that comes meanwhile replaces the entry.
  connect(entry, &QWidget::customContextMenuRequested, this, [this, entry, label](QPoint place) {
    QMetaObject::invokeMethod(
        this,
        [this, label, global = entry->mapToGlobal(place)] {
          emit context_menu_requested(label, global);
        },
        Qt::QueuedConnection);
  });
  return entry;
}

void ResultLegend::refresh() {
  while (QLayoutItem* item = entries_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const Run* run = runs_.shown_run();
  const bool has_legend =
      run != nullptr && runs_.has_objects(*run) && run->voxels.size() <= kMostEntries;
  setVisible(has_legend);
  if (!has_legend) return;
  int place = 0;
  for (const auto& [label, voxels] : run->voxels) {
    entries_->addWidget(make_entry(label, voxels), place / kColumns, place % kColumns);
    ++place;
  }
}

}  // namespace seedwave::ui
