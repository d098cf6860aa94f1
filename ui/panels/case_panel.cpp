// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/case_panel.h"

#include "ui/panels/action_button.h"
#include "ui/panels/list_view.h"

#include <QAction>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>

namespace seedwave::ui {

namespace {

/// Leaves out the cases that are done, except the one that is open.
class CaseFilter : public QSortFilterProxyModel {
 public:
  CaseFilter(CaseModel& model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
    setSourceModel(&model);
  }

  void set_hides_done(bool hides) {
    hides_done_ = hides;
    invalidateFilter();
  }

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& /*parent*/) const override {
    return !hides_done_ || row == model_.open_row() || !model_.at(row).done;
  }

 private:
  CaseModel& model_;
  bool hides_done_ = false;
};

}  // namespace

CasePanel::CasePanel(CaseModel& model, const CaseActions& actions, QWidget* parent)
    : QWidget(parent), model_(model) {
  auto* filter = new CaseFilter(model_, this);
  shown_ = filter;
  list_ = make_list_view(*shown_, QStringLiteral("cases"), tr("Cases"), CaseModel::Name, this);
  progress_ = new QLabel(this);
  progress_->setObjectName(QStringLiteral("cases_done"));
  failures_ = new QLabel(this);
  failures_->setObjectName(QStringLiteral("cases_failed"));
  failures_->setTextFormat(Qt::PlainText);
  failures_->setWordWrap(true);
  // A long name must not widen the panel.
  failures_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  hide_done_ = new QCheckBox(tr("Hide done"), this);
  hide_done_->setObjectName(QStringLiteral("hide_done"));
  hide_done_->setToolTip(tr("List only the cases that are not done"));
  auto* layout = new QGridLayout(this);
  layout->addWidget(list_, 0, 0, 1, 2);
  layout->addWidget(progress_, 1, 0);
  layout->addWidget(hide_done_, 1, 1, Qt::AlignRight);
  layout->addWidget(failures_, 2, 0, 1, 2);
  layout->addWidget(make_short_action_button(actions.previous, tr("Previous"), this), 3, 0);
  layout->addWidget(make_short_action_button(actions.next, tr("Next"), this), 3, 1);
  layout->addWidget(make_short_action_button(actions.done_and_next, tr("Done, next"), this), 4, 0,
                    1, 2);
  layout->setRowStretch(0, 1);
  connect(hide_done_, &QCheckBox::toggled, this,
          [filter](bool hides) { filter->set_hides_done(hides); });
  connect(&model_, &CaseModel::changed, this, &CasePanel::refresh);
  connect(list_, &QTreeView::activated, this,
          [this](const QModelIndex& index) { emit activated(shown_->mapToSource(index).row()); });
  refresh();
}

void CasePanel::show_failures() {
  const CaseModel::Failures& failures = model_.failures();
  failures_->setVisible(!failures.empty());
  if (failures.empty()) return;
  const QString last = failures.rbegin()->second;
  failures_->setText(CaseModel::and_others(last, failures.size()));
  failures_->setToolTip(last);
}

void CasePanel::refresh() {
  progress_->setText(tr("%1 of %2 done").arg(model_.done_count()).arg(model_.rowCount()));
  show_failures();
  shown_->invalidate();
  if (model_.open_row() < 0) return;
  const QModelIndex open = shown_->mapFromSource(model_.index(model_.open_row(), 0));
  list_->setCurrentIndex(open);
  list_->scrollTo(open);
}

}  // namespace seedwave::ui
