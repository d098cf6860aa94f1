// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/score_strip.h"

#include "core/engine/label_origin.h"
#include "core/image/label_map.h"
#include "ui/models/label_size.h"
#include "ui/models/scored_note.h"
#include "ui/panels/action_button.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>

#include <cmath>
#include <cstdlib>

namespace seedwave::ui {

namespace {

QString with_sign(double change, int decimals) {
  const QString sign = change < 0.0 ? QStringLiteral("−") : QStringLiteral("+");
  return sign + QLocale().toString(std::abs(change), 'f', decimals);
}

std::int64_t voxels_of(const Run& run, Label label) {
  const auto found = run.facts.voxels.find(label);
  return found == run.facts.voxels.end() ? 0 : found->second;
}

/// Returns the score in large type: the F1 of objects if there are any, else the Dice.
std::optional<double> main_score(const Score& score) {
  return score.objects ? std::optional(score.objects->f1()) : score.mean();
}

bool is_of_same_kind(const Score& a, const Score& b) {
  return a.objects.has_value() == b.objects.has_value() &&
         a.foreground.has_value() == b.foreground.has_value();
}

/// Fractions of the image: a result above the first is scored against a reference below the second.
constexpr double kAlmostAll = 0.9;
constexpr double kMostOfAPart = 0.75;

}  // namespace

ScoreStrip::ScoreStrip(Workbench& workbench, const RunController& runs, QAction* compare,
                       QWidget* parent)
    : QWidget(parent), workbench_(workbench), runs_(runs) {
  build(compare);
  connect(where_labelled_, &QCheckBox::toggled, this, [this](bool on) {
    workbench_.set_scored(on ? Scored::WhereLabelled : Scored::Everywhere);
  });
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &ScoreStrip::refresh);
  connect(&runs_.history(), &KeptRuns::changed, this, &ScoreStrip::refresh);
  connect(&workbench_, &Workbench::reference_changed, this, &ScoreStrip::refresh);
  connect(&workbench_, &Workbench::scored_changed, this, &ScoreStrip::refresh);
  connect(&workbench_, &Workbench::current_label_changed, this, &ScoreStrip::refresh);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) refresh();
  });
  refresh();
}

void ScoreStrip::build(QAction* compare) {
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(9, 0, 9, 6);
  layout->setVerticalSpacing(0);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  score_ = new QLabel(this);
  score_->setObjectName(QStringLiteral("dice"));
  QFont large = score_->font();
  large.setPointSizeF(large.pointSizeF() * 2.2);
  large.setBold(true);
  score_->setFont(large);
  score_->setAccessibleName(tr("Dice"));
  score_->setToolTip(
      tr("Dice: 2|A∩B| / (|A|+|B|) of result and reference, mean over the reference's labels. For "
         "numbered objects the F1: 2 matched / (found + reference), matched at an IoU above 0.5"));
  change_ = new QLabel(this);
  change_->setObjectName(QStringLiteral("dice_change"));
  detail_ = new QLabel(this);
  detail_->setObjectName(QStringLiteral("score_detail"));
  detail_->setTextFormat(Qt::PlainText);
  detail_->setWordWrap(true);
  where_labelled_ = new QCheckBox(tr("Only where the reference has a label"), this);
  where_labelled_->setObjectName(QStringLiteral("where_labelled"));
  where_labelled_->setToolTip(
      tr("For a reference that labels only parts of the image: voxels without a reference label "
         "are ignored. Applies to all runs and to new sweeps"));
  hint_ = new QLabel(this);
  hint_->setObjectName(QStringLiteral("where_labelled_hint"));
  hint_->setWordWrap(true);
  layout->addWidget(score_, 0, 0);
  layout->addWidget(change_, 0, 1, Qt::AlignLeft | Qt::AlignBottom);
  compare_ = make_short_action_button(compare, tr("Show errors"), this);
  compare_->setObjectName(QStringLiteral("show_errors"));
  layout->addWidget(compare_, 0, 2, Qt::AlignRight | Qt::AlignVCenter);
  layout->addWidget(detail_, 1, 0, 1, 3);
  layout->addWidget(where_labelled_, 2, 0, 1, 3);
  layout->addWidget(hint_, 3, 0, 1, 3);
  layout->setColumnStretch(1, 1);
  layout->setRowStretch(4, 1);
  // Same height with and without a score: widgets below and beside keep their places.
  constexpr int kLinesOfDetail = 2;
  setMinimumHeight(score_->fontMetrics().height() +
                   kLinesOfDetail * detail_->fontMetrics().height() +
                   layout->contentsMargins().bottom());
  setMinimumWidth(where_labelled_->sizeHint().width() + layout->contentsMargins().left() +
                  layout->contentsMargins().right());
}

bool ScoreStrip::reference_is_part() const {
  const Run* run = runs_.displayed().run();
  if (run == nullptr || workbench_.reference().labels.empty()) return false;
  std::int64_t labelled = 0;
  for (const auto& [label, count] : run->facts.voxels)
    labelled += count;
  const auto all = static_cast<double>(workbench_.image().geometry().voxel_count());
  return static_cast<double>(labelled) > kAlmostAll * all &&
         workbench_.reference().share < kMostOfAPart;
}

void ScoreStrip::show_choice() {
  const bool everywhere = workbench_.document().scored == Scored::Everywhere;
  const QSignalBlocker quiet(where_labelled_);
  where_labelled_->setChecked(!everywhere);
  where_labelled_->setVisible(!workbench_.reference().labels.empty());
  hint_->setVisible(everywhere && reference_is_part());
  if (!hint_->isVisibleTo(this)) return;
  hint_->setText(tr("The reference has a label in %1 % of the image, the result nearly everywhere. "
                    "If it labels only parts, tick this.")
                     .arg(100.0 * workbench_.reference().share, 0, 'f', 0));
}

QString ScoreStrip::objects_text(const Run& run) const {
  std::int64_t total = 0;
  for (const auto& [label, count] : run.facts.voxels)
    total += count;
  // EnglishPlurals does not support numbers with group separators.
  const QString count = QLocale().toString(static_cast<qlonglong>(run.facts.voxels.size()));
  const QString text = ranks_in(runs_.next().table(), run) != 0 ? tr("%1 labels, %2 in total")
                                                                : tr("%1 objects, %2 in total");
  return text.arg(count, size_text(workbench_.image().geometry(), total));
}

QStringList ScoreStrip::score_lines(const Run& run) const {
  const QString note = scored_note(workbench_.document().scored);
  const QLocale locale;
  if (const auto& objects = run.score.objects) {
    const auto number = [&](std::int64_t count) { return locale.toString(qlonglong{count}); };
    return {
        tr("F1 of objects: %1 of %2 found, %3 in the result")
                .arg(number(objects->matched), number(objects->reference), number(objects->found)) +
            note,
        tr("PQ %1, AJI %2, Dice of the foreground %3")
            .arg(locale.toString(objects->pq, 'f', 3), locale.toString(objects->aji, 'f', 3),
                 locale.toString(run.score.foreground.value_or(0.0), 'f', 3))};
  }
  QStringList lines{(run.score.foreground ? tr("Dice of the foreground")
                                          : tr("Dice, mean of %n label(s)", nullptr,
                                               static_cast<int>(run.score.labels.size()))) +
                    note};
  if (runs_.displayed().has_objects()) lines << objects_text(run);
  return lines;
}

void ScoreStrip::refresh() {
  show_choice();
  const Run* run = runs_.displayed().run();
  const Run* pinned = runs_.history().pinned();
  score_->clear();
  change_->clear();
  compare_->setVisible(run != nullptr && !workbench_.reference().labels.empty());
  if (run == nullptr) {
    detail_->setText(workbench_.reference().labels.empty()
                         ? tr("No result yet. With a reference, the Dice appears here after a run.")
                         : tr("Reference loaded. The Dice appears here after a run."));
    score_->setVisible(false);
    return;
  }
  const std::optional<double> score = main_score(run->score);
  score_->setVisible(score.has_value());
  if (score) {
    score_->setText(QLocale().toString(*score, 'f', 3));
    score_->setAccessibleName(run->score.objects ? tr("F1 of objects") : tr("Dice"));
    const bool has_other =
        pinned != nullptr && pinned->id != run->id && is_of_same_kind(pinned->score, run->score);
    if (const auto other = has_other ? main_score(pinned->score) : std::nullopt)
      change_->setText(tr("%1 compared with A").arg(with_sign(*score - *other, 3)));
    detail_->setText(score_lines(*run).join('\n'));
    return;
  }
  if (runs_.displayed().has_objects() || run->facts.voxels.empty()) {
    detail_->setText(run->facts.voxels.empty() ? QString() : objects_text(*run));
    return;
  }
  const Label label = workbench_.document().current_label;
  const Geometry& geometry = workbench_.image().geometry();
  const std::int64_t size = voxels_of(*run, label);
  QString text = tr("%1: %2").arg(workbench_.label_name(label), size_text(geometry, size));
  if (pinned != nullptr && pinned->id != run->id) {
    const std::int64_t change = size - voxels_of(*pinned, label);
    text += tr(", %1 compared with A")
                .arg((change < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
                     size_text(geometry, std::abs(change)));
  }
  detail_->setText(text + (workbench_.reference().labels.empty()
                               ? tr(". Import a reference to see the Dice.")
                               : QStringLiteral(".")));
}

}  // namespace seedwave::ui
