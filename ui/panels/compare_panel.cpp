// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/compare_panel.h"

#include "ui/models/agreement_words.h"
#include "ui/panels/action_button.h"
#include "ui/panels/swatch.h"

#include <QAction>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QTreeWidget* plain_list(QWidget* parent, const QString& name, const QStringList& heads) {
  auto* list = new QTreeWidget(parent);
  list->setAccessibleName(name);
  list->setHeaderLabels(heads);
  list->setRootIsDecorated(false);
  list->setSelectionMode(QAbstractItemView::NoSelection);
  list->header()->setStretchLastSection(false);
  list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  return list;
}

}  // namespace

ComparePanel::ComparePanel(const Buttons& buttons, QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  head_ = new QLabel(this);
  head_->setWordWrap(true);
  head_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  layout->addWidget(head_);
  auto* modes = new QGridLayout;
  modes->setSpacing(2);
  modes->addWidget(make_short_action_button(buttons.difference, tr("Difference"), this), 0, 0);
  modes->addWidget(make_short_action_button(buttons.wipe, tr("Wipe"), this), 0, 1);
  modes->addWidget(make_short_action_button(buttons.side_by_side, tr("Side by side"), this), 1, 0);
  modes->addWidget(make_short_action_button(buttons.one_place, tr("Blink"), this), 1, 1);
  layout->addLayout(modes);
  auto* hint = new QLabel(tr("Hold K to show the other one."), this);
  hint->setWordWrap(true);
  hint->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  layout->addWidget(hint);
  legend_ = plain_list(this, tr("Agreement"), {tr("Agreement"), tr("Voxels"), tr("Share")});
  legend_->setObjectName(QStringLiteral("agreement"));
  legend_->setMaximumHeight(6 * fontMetrics().height() + 40);
  layout->addWidget(legend_);
  list_ = plain_list(this, tr("Differences"), {tr("Difference"), tr("A"), tr("B")});
  list_->setObjectName(QStringLiteral("differences"));
  // Names are shown in full. Long values (digests) are elided; their tooltips are complete.
  list_->header()->setSectionResizeMode(QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  layout->addWidget(list_, 1);
  layout->addStretch();  // takes the place of a hidden list
  auto* ends = new QHBoxLayout;
  ends->setSpacing(2);
  ends->addWidget(make_short_action_button(buttons.swap, tr("Swap A and B"), this));
  ends->addWidget(make_short_action_button(buttons.keep_a, tr("Keep A"), this));
  ends->addWidget(make_short_action_button(buttons.end, tr("End"), this));
  layout->addLayout(ends);
}

void ComparePanel::show_comparison(const Compared& compared) {
  const QLocale locale;
  head_->setText(
      compared.is_with_reference()
          ? tr("The reference (A) compared with run %1 (B)").arg(compared.b.id)
          : tr("Run %1 (A) compared with run %2 (B)").arg(compared.a.id).arg(compared.b.id));
  legend_->headerItem()->setText(1, compared.is_of_objects ? tr("Objects") : tr("Voxels"));
  list_->setVisible(!compared.is_with_reference());
  legend_->clear();
  legend_->setVisible(compared.has_agreement());
  const Agreement& agreement = compared.agreement;
  const auto all =
      static_cast<double>(agreement.same + agreement.only_a + agreement.only_b + agreement.other);
  for (const AgreementPart& part : parts_of(compared)) {
    const QString share =
        all > 0.0 ? tr("%1 %").arg(100.0 * static_cast<double>(part.count) / all, 0, 'f', 2)
                  : QString();
    auto* row =
        new QTreeWidgetItem(legend_, {part.name, locale.toString(qlonglong{part.count}), share});
    row->setIcon(0, swatch(part.color));
    row->setToolTip(0, part.name);
    row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    row->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  }
  show_differences(compared.differences);
}

void ComparePanel::show_differences(const std::vector<RunDifference>& differences) {
  list_->clear();
  for (const RunDifference& difference : differences) {
    new QTreeWidgetItem(
        list_, {QString::fromStdString(difference.what), QString::fromStdString(difference.a),
                QString::fromStdString(difference.b)});
  }
  if (differences.empty()) new QTreeWidgetItem(list_, {tr("no differences")});
}

}  // namespace seedwave::ui
