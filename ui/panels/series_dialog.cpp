// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/series_dialog.h"

#include "ui/panels/item_text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr int kSeriesPictureSide = 72;

enum SeriesColumn {
  PictureColumn,
  KindColumn,
  SizeColumn,
  DescriptionColumn,
  StateColumn,
  SeriesColumnCount
};

/// Returns whether the item is a repaired version of a series that cannot be opened as it is.
bool is_repaired(const io::Item& item) {
  return std::any_of(item.warnings.begin(), item.warnings.end(),
                     [](const std::string& warning) { return warning.starts_with("repaired: "); });
}

/// Returns the order of the scan, with items that cannot be opened last.
std::vector<std::size_t> reading_order(const io::Scan& scan) {
  std::vector<std::size_t> order(scan.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&scan](std::size_t i) { return scan.items[i].usable; });
  return order;
}

/// Returns the usable item to open by default; the first among equals.
std::optional<std::size_t> with_most_slices(const io::Scan& scan) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    if (!scan.items[i].usable) continue;
    const bool more = best && scan.items[i].geometry.size[2] > scan.items[*best].geometry.size[2];
    if (!best || more) best = i;
  }
  return best;
}

}  // namespace

SeriesDialog::SeriesDialog(const QString& path, io::Scan scan, QWidget* parent)
    : QDialog(parent), scan_(std::move(scan)), pictures_(kSeriesPictureSide) {
  build(path);
  fill();
  connect(&pictures_, &ItemPictures::ready, this, [this](std::size_t item, const QImage& picture) {
    rows_[item]->setIcon(PictureColumn, QIcon(QPixmap::fromImage(picture)));
  });
  pictures_.start(scan_.items);
}

void SeriesDialog::build(const QString& path) {
  setWindowTitle(tr("Choose a series"));
  resize(860, 520);
  auto* layout = new QVBoxLayout(this);
  auto* head = new QLabel(head_text(path), this);
  head->setObjectName(QStringLiteral("head"));
  head->setWordWrap(true);
  layout->addWidget(head);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("series"));
  list_->setAccessibleName(tr("Series"));
  list_->setColumnCount(SeriesColumnCount);
  list_->setHeaderLabels({QString(), tr("Type"), tr("Size"), tr("Description"), tr("Status")});
  list_->setRootIsDecorated(false);
  list_->setIconSize({kSeriesPictureSide, kSeriesPictureSide});
  list_->setAllColumnsShowFocus(true);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(DescriptionColumn, QHeaderView::Stretch);
  list_->header()->setStretchLastSection(false);
  layout->addWidget(list_, 1);
  details_ = new QLabel(this);
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  details_->setMinimumHeight(3 * fontMetrics().height());
  details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  layout->addWidget(details_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
  if (!scan_.skipped.empty()) {
    auto* skipped = buttons->addButton(
        tr("%n skipped file(s)…", nullptr, static_cast<int>(scan_.skipped.size())),
        QDialogButtonBox::HelpRole);
    skipped->setAutoDefault(false);
    connect(skipped, &QPushButton::clicked, this, &SeriesDialog::show_skipped);
  }
  open_ = buttons->button(QDialogButtonBox::Open);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(list_, &QTreeWidget::currentItemChanged, this, &SeriesDialog::show_details);
  connect(list_, &QTreeWidget::itemActivated, this, [this] {
    if (open_->isEnabled()) accept();
  });
}

QString SeriesDialog::head_text(const QString& path) const {
  const auto all = static_cast<int>(scan_.items.size());
  const auto repaired =
      static_cast<int>(std::count_if(scan_.items.begin(), scan_.items.end(), is_repaired));
  if (repaired == 0) return tr("%1 contains %n image(s):", nullptr, all).arg(path);
  return tr("%1 contains %2 and %3:")
      .arg(path, tr("%n series", nullptr, all - repaired),
           tr("%n repaired version(s)", nullptr, repaired));
}

void SeriesDialog::fill() {
  rows_.resize(scan_.items.size());
  for (const std::size_t i : reading_order(scan_)) {
    const io::Item& item = scan_.items[i];
    auto* row = new QTreeWidgetItem(list_);
    rows_[i] = row;
    row->setData(PictureColumn, Qt::UserRole, static_cast<qulonglong>(i));
    row->setSizeHint(PictureColumn, {kSeriesPictureSide + 8, kSeriesPictureSide + 8});
    row->setText(KindColumn, kind_text(item));
    row->setText(SizeColumn, size_text(item.geometry));
    row->setText(DescriptionColumn, description_text(item));
    row->setText(StateColumn, !item.usable            ? tr("cannot be opened")
                              : item.warnings.empty() ? tr("ready")
                                                      : tr("with warnings"));
  }
  if (const auto best = with_most_slices(scan_)) list_->setCurrentItem(rows_[*best]);
}

void SeriesDialog::show_details() {
  const io::Item& item = scan_.items[chosen()];
  QStringList lines;
  for (const std::string& warning : item.warnings)
    lines << QString::fromStdString(warning);
  if (lines.isEmpty()) {
    lines << tr("%n file(s), no problems found.", nullptr, static_cast<int>(item.files.size()));
  }
  details_->setText(lines.join('\n'));
  open_->setEnabled(item.usable);
}

void SeriesDialog::show_skipped() {
  QStringList lines;
  for (const io::Skipped& each : scan_.skipped) {
    lines << QStringLiteral("%1: %2").arg(QString::fromStdString(each.file.string()),
                                          QString::fromStdString(each.reason));
  }
  QDialog dialog(this);
  dialog.setWindowTitle(tr("Skipped files"));
  dialog.resize(640, 360);
  auto* layout = new QVBoxLayout(&dialog);
  auto* text = new QPlainTextEdit(lines.join('\n'), &dialog);
  text->setReadOnly(true);
  layout->addWidget(text);
  auto* close = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
  layout->addWidget(close);
  connect(close, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  dialog.exec();
}

std::size_t SeriesDialog::chosen() const {
  const QTreeWidgetItem* row = list_->currentItem();
  return row == nullptr ? 0 : row->data(PictureColumn, Qt::UserRole).toULongLong();
}

}  // namespace seedwave::ui
