// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "ui/models/workbench.h"
#include "ui/panels/item_pictures.h"

#include <QWidget>

#include <cstddef>

class QLabel;
class QListWidget;
class QPushButton;

namespace seedwave::ui {

/// The open study: series with thumbnails, the open one marked, and the warnings of its reader.
class StudyPanel : public QWidget {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  explicit StudyPanel(const Workbench& workbench, QWidget* parent = nullptr);

  /// Shows the items that were opened last, with the place of the open one.
  void show_scan(const QString& path, const io::Scan& scan, std::size_t open);

 signals:
  void item_chosen(const QString& path, const seedwave::io::Scan& scan, std::size_t item);

 private:
  void show_image();

  const Workbench& workbench_;
  QString path_;
  io::Scan scan_;
  QListWidget* list_ = nullptr;
  QLabel* details_ = nullptr;
  ItemPictures pictures_;
};

}  // namespace seedwave::ui
