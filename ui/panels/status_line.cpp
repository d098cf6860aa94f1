// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/status_line.h"

#include "ui/panels/elided_label.h"
#include "ui/panels/item_text.h"

#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QStringList>

#include <cmath>

namespace seedwave::ui {

namespace {

QString milliseconds(double ms) {
  return QLocale().toString(ms, 'f', ms < 10.0 ? 1 : 0);
}

/// Returns "CPU, dijkstra: 412 ms", or "NVIDIA H200 95 %, CPU 5 %, tiles: 412 ms".
QString backend_text(const RunFacts& facts) {
  const QString where = !facts.shares.empty()
                            ? QString::fromStdString(shares_in_brief(facts.shares))
                        : facts.device.empty() ? QString::fromStdString(facts.backend).toUpper()
                                               : QString::fromStdString(facts.device);
  return StatusLine::tr("%1, %2: %3 ms")
      .arg(where, QString::fromStdString(facts.algorithm), milliseconds(facts.total_ms));
}

/// Returns the reason for the backend, the share of each worker and the time of each stage.
QString stages_text(const RunFacts& facts) {
  QStringList lines{QString::fromStdString(facts.why)};
  for (const RunFacts::Share& share : facts.shares)
    lines << QString::fromStdString(share_text(share));
  for (const StageTime& stage : facts.stages) {
    lines << StatusLine::tr("%1: %2 ms")
                 .arg(QString::fromStdString(stage.stage), milliseconds(stage.ms));
  }
  return lines.join('\n');
}

constexpr int kAppearsAfterMs = 200;
constexpr int kSaysForMs = 15'000;
/// The width of a message in the narrowest window.
constexpr int kLeastMessage = 120;
/// The gap between a message and the backend.
constexpr int kBesideMessage = 16;
/// Narrower windows hide the spacing, which does not change.
constexpr int kLeastForSpacing = 1200;

QLabel* field(QWidget* parent, const char* id, const QString& widest, const QString& name) {
  // Each field has a fixed place, so that nothing jumps while the pointer moves.
  auto* label = new ElidedLabel(widest, parent);
  label->setObjectName(QString::fromLatin1(id));
  label->setAccessibleName(name);
  return label;
}

}  // namespace

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent) {
  position_ = field(this, "readout_position", QStringLiteral("L 000.0  P 000.0  S 000.0 mm"),
                    tr("Position"));
  index_ =
      field(this, "readout_index", QStringLiteral("index 000, 000, 000 (0-based)"), tr("Voxel"));
  value_ = field(this, "readout_value", QStringLiteral("R 000  G 000  B 000"), tr("Value"));
  label_ = field(this, "readout_label", QStringLiteral("white matter"), tr("Label"));
  map_ = field(this, "readout_map", QStringLiteral("strength 0.00"), tr("Value of the map"));
  slice_ = field(this, "slice", QStringLiteral("Coronal 000/000"), tr("Slice"));
  spacing_ = field(this, "spacing", QString(), tr("Spacing"));
  for (QLabel* label : {position_, index_, value_, label_, map_, slice_, spacing_}) {
    addWidget(label);
  }
  message_ = field(this, "message", QString(), tr("Message"));
  message_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  message_->setMinimumWidth(kLeastMessage);
  message_->hide();
  addPermanentWidget(message_, 1);
  stage_ = new QLabel(this);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(140);
  progress_->setAccessibleName(tr("Progress"));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("cancel"));
  cancel_->setToolTip(tr("Cancel (Esc): stop and keep the last result"));
  cancel_->setAutoDefault(false);
  backend_ = new QLabel(this);
  backend_->setObjectName(QStringLiteral("backend"));
  backend_->setContentsMargins(kBesideMessage, 0, 0, 0);
  for (QWidget* widget : {static_cast<QWidget*>(stage_), static_cast<QWidget*>(progress_),
                          static_cast<QWidget*>(cancel_), static_cast<QWidget*>(backend_)}) {
    addPermanentWidget(widget);
  }
  appear_.setSingleShot(true);
  appear_.setInterval(kAppearsAfterMs);
  connect(&appear_, &QTimer::timeout, this, [this] {
    for (QWidget* widget : {static_cast<QWidget*>(stage_), static_cast<QWidget*>(progress_),
                            static_cast<QWidget*>(cancel_)}) {
      widget->show();
    }
    backend_->hide();
  });
  said_.setSingleShot(true);
  said_.setInterval(kSaysForMs);
  connect(&said_, &QTimer::timeout, message_, &QWidget::hide);
  // Status tips of menus take the whole line while they are shown.
  connect(this, &QStatusBar::messageChanged, this,
          [this](const QString& tip) { message_->setVisible(tip.isEmpty() && said_.isActive()); });
  connect(cancel_, &QPushButton::clicked, this, &StatusLine::cancel_requested);
  end_job();
}

void StatusLine::show_readout(const Readout& readout) {
  position_->setText(readout.position);
  index_->setText(readout.index);
  value_->setText(readout.value);
  label_->setText(readout.label);
  map_->setText(readout.map);
}

void StatusLine::clear_readout() {
  for (QLabel* label : {position_, index_, value_, label_, map_})
    label->clear();
}

void StatusLine::show_slice(const QString& slice, const Geometry& grid) {
  slice_->setText(slice);
  spacing_->setText(grid.unit == LengthUnit::Pixel
                        ? QStringLiteral("%1 × %2 px").arg(grid.size[0]).arg(grid.size[1])
                        : spacing_text(grid));
}

void StatusLine::show_run(const Run* run) {
  backend_->setText(run == nullptr ? QString() : backend_text(run->facts));
  backend_->setToolTip(run == nullptr ? QString() : stages_text(run->facts));
}

void StatusLine::say(const QString& text) {
  message_->setText(text);
  message_->setToolTip(text);
  message_->setVisible(currentMessage().isEmpty());
  said_.start();
}

void StatusLine::unsay(const QString& text) {
  if (message_->text() != text) return;
  said_.stop();
  message_->hide();
  message_->clear();
}

void StatusLine::resizeEvent(QResizeEvent* event) {
  spacing_->setVisible(width() >= kLeastForSpacing);
  QStatusBar::resizeEvent(event);
}

void StatusLine::start_job(const QString& what) {
  stage_->setText(what);
  progress_->setValue(0);
  // Runs in quick succession must not postpone it for ever.
  if (!cancel_->isVisible() && !appear_.isActive()) appear_.start();
}

void StatusLine::show_progress(const QString& stage, double fraction) {
  if (!stage.isEmpty()) stage_->setText(stage.left(1).toUpper() + stage.mid(1));
  progress_->setValue(static_cast<int>(std::lround(fraction * 1000.0)));
}

void StatusLine::end_job() {
  appear_.stop();
  stage_->hide();
  progress_->hide();
  cancel_->hide();
  backend_->show();
}

}  // namespace seedwave::ui
