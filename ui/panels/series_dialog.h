// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "ui/panels/item_pictures.h"

#include <QDialog>

#include <cstddef>
#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace seedwave::ui {

/// What a folder or file holds, one line a series: picture, kind, size, description, and in words
/// what is missing, assumed or repaired. Pictures come in the background. What cannot be opened
/// stands last; chosen at first is the one with the most slices.
class SeriesDialog : public QDialog {
  Q_OBJECT

 public:
  SeriesDialog(const QString& path, io::Scan scan, QWidget* parent = nullptr);

  /// The item of the scan that was chosen.
  [[nodiscard]] std::size_t chosen() const;

 private:
  void build(const QString& path);
  void fill();
  [[nodiscard]] QString head_text(const QString& path) const;
  void show_details();
  void show_skipped();

  io::Scan scan_;
  QTreeWidget* list_ = nullptr;
  std::vector<QTreeWidgetItem*> rows_;  // by item of the scan
  QLabel* details_ = nullptr;
  QPushButton* open_ = nullptr;
  ItemPictures pictures_;
};

}  // namespace seedwave::ui
