// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/study_panel.h"

#include "ui/panels/item_text.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

constexpr int kStudyPictureSide = 64;

}  // namespace

StudyPanel::StudyPanel(const Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), pictures_(kStudyPictureSide) {
  auto* layout = new QVBoxLayout(this);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("study"));
  list_->setAccessibleName(tr("Series of the study"));
  list_->setIconSize({kStudyPictureSide, kStudyPictureSide});
  list_->setWordWrap(true);
  list_->setToolTip(tr("Double-click to open a series"));
  layout->addWidget(list_, 1);
  details_ = new QLabel(this);
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(details_);
  connect(list_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* row) {
    const auto item = static_cast<std::size_t>(list_->row(row));
    if (item < scan_.items.size() && scan_.items[item].usable) {
      emit item_chosen(path_, scan_, item);
    }
  });
  connect(&pictures_, &ItemPictures::ready, this, [this](std::size_t item, const QImage& picture) {
    list_->item(static_cast<int>(item))->setIcon(QIcon(QPixmap::fromImage(picture)));
  });
  connect(&workbench_, &Workbench::image_changed, this, &StudyPanel::show_image);
  show_image();
}

void StudyPanel::show_scan(const QString& path, const io::Scan& scan, std::size_t open) {
  path_ = path;
  scan_ = scan;
  list_->clear();
  for (const io::Item& item : scan_.items) {
    auto* row = new QListWidgetItem(
        QStringLiteral("%1  %2\n%3")
            .arg(kind_text(item), description_text(item), size_text(item.geometry)),
        list_);
    QPixmap empty(kStudyPictureSide, kStudyPictureSide);
    empty.fill(Qt::black);
    row->setIcon(QIcon(empty));
    if (!item.usable && !item.warnings.empty()) {
      row->setToolTip(QString::fromStdString(item.warnings.back()));
      row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
    }
  }
  list_->setCurrentRow(static_cast<int>(open));
  pictures_.start(scan_.items);
}

void StudyPanel::show_image() {
  if (!workbench_.has_image()) {
    details_->setText(tr("Nothing is open. Drop a file or folder on the window, or press Ctrl+O."));
    return;
  }
  QStringList lines;
  for (const std::string& warning : workbench_.opened().loaded.warnings) {
    lines << QString::fromStdString(warning);
  }
  details_->setText(lines.join('\n'));
  details_->setVisible(!lines.isEmpty());
}

}  // namespace seedwave::ui
