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

/// The content of a folder or file, one row per series: thumbnail, kind, size, description, and
/// what is missing, assumed or repaired. Thumbnails are rendered in the background. Series that
/// cannot be opened are last; the one with the most slices is selected first.
class SeriesDialog : public QDialog {
  Q_OBJECT

 public:
  SeriesDialog(const QString& path, io::Scan scan, QWidget* parent = nullptr);

  /// Returns the chosen item of the scan.
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
