// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/whole_slide_dialog.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <initializer_list>

namespace seedwave::ui {

WholeSlideDialog::WholeSlideDialog(const Offer& offer, WholeSlideRun& run, QWidget* parent)
    : QDialog(parent), run_(run) {
  setObjectName(QStringLiteral("whole_slide"));
  setWindowTitle(tr("Compute the whole slide"));
  build(offer);
  connect(&run_, &WholeSlideRun::progressed, this, [this](const QString& stage, double fraction) {
    bar_->setValue(static_cast<int>(100.0 * fraction));
    if (!run_.paused()) state_->setText(stage);
  });
  connect(&run_, &WholeSlideRun::paused_changed, this, &WholeSlideDialog::show_state);
  connect(&run_, &WholeSlideRun::ended, this, [this](const QString& message) {
    state_->setText(message.isEmpty() ? tr("Wrote %1").arg(output_->text()) : message);
    bar_->setValue(message.isEmpty() ? 100 : 0);
    show_state();
    show_->setEnabled(message.isEmpty() &&
                      output_->text().endsWith(QStringLiteral(".geojson"), Qt::CaseInsensitive));
  });
  show_state();
  show_->setEnabled(false);
}

void WholeSlideDialog::build(const Offer& offer) {
  auto* layout = new QVBoxLayout(this);
  auto* what = new QLabel(
      tr("%1, on all of the slide, in the background. Its arrays may be larger than memory: the "
         "rest lies in files beside the result.")
          .arg(offer.what),
      this);
  what->setWordWrap(true);
  layout->addWidget(what);
  if (!offer.slide.isNull()) {
    map_ = new MapSoFar(offer.slide, offer.color_of, this);
    layout->addWidget(map_, 0, Qt::AlignCenter);
    connect(&run_, &WholeSlideRun::labels_known, map_, &MapSoFar::show_labels);
  }
  auto* form = new QFormLayout;
  levels_ = new QComboBox(this);
  levels_->setObjectName(QStringLiteral("level"));
  levels_->addItems(offer.levels);
  form->addRow(tr("Level"), levels_);
  auto* row = new QHBoxLayout;
  output_ = new QLineEdit(offer.output, this);
  output_->setObjectName(QStringLiteral("output"));
  output_->setMinimumWidth(360);
  row->addWidget(output_, 1);
  choose_ = new QPushButton(tr("Choose…"), this);
  choose_->setAutoDefault(false);
  connect(choose_, &QPushButton::clicked, this,
          [this, filter = offer.filter] { ask_output(filter); });
  row->addWidget(choose_);
  form->addRow(tr("Result"), row);
  layout->addLayout(form);
  bar_ = new QProgressBar(this);
  layout->addWidget(bar_);
  state_ = new QLabel(this);
  state_->setObjectName(QStringLiteral("state"));
  state_->setWordWrap(true);
  layout->addWidget(state_);
  auto* buttons = new QHBoxLayout;
  const auto add = [&](const QString& text, const char* name) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setAutoDefault(false);
    buttons->addWidget(button);
    return button;
  };
  start_ = add(tr("Start"), "start");
  start_->setDefault(true);
  pause_ = add(tr("Pause"), "pause");
  cancel_ = add(tr("Cancel run"), "cancel_run");
  show_ = add(tr("Show as regions"), "show");
  QPushButton* close = add(tr("Close"), "close");
  close->setToolTip(tr("The run goes on; open this again to see it"));
  layout->addLayout(buttons);
  connect(start_, &QPushButton::clicked, this, &WholeSlideDialog::start);
  connect(pause_, &QPushButton::clicked, this, [this] { run_.set_paused(!run_.paused()); });
  connect(cancel_, &QPushButton::clicked, &run_, &WholeSlideRun::cancel);
  connect(show_, &QPushButton::clicked, this, [this] { emit show_wanted(output_->text()); });
  connect(close, &QPushButton::clicked, this, &QDialog::hide);
}

void WholeSlideDialog::ask_output(const QString& filter) {
  const QString path = QFileDialog::getSaveFileName(this, tr("Result"), output_->text(), filter);
  if (!path.isEmpty()) output_->setText(path);
}

void WholeSlideDialog::start() {
  state_->setText(tr("Reading the slide"));
  show_->setEnabled(false);
  if (map_ != nullptr) map_->show_labels({});
  emit wanted(levels_->currentIndex(), output_->text());
  show_state();
}

void WholeSlideDialog::show_state() {
  const bool busy = run_.busy();
  for (QWidget* choice : std::initializer_list<QWidget*>{levels_, output_, choose_})
    choice->setEnabled(!busy);
  start_->setEnabled(!busy);
  pause_->setEnabled(busy);
  pause_->setText(run_.paused() ? tr("Resume") : tr("Pause"));
  cancel_->setEnabled(busy);
  if (run_.paused()) state_->setText(tr("Paused"));
}

}  // namespace seedwave::ui
