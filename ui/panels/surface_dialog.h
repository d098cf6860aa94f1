// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/io/surfaces.h"

#include <QColor>
#include <QDialog>
#include <QString>

#include <vector>

class QCheckBox;
class QComboBox;
class QListWidget;
class QPushButton;

namespace seedwave::ui {

/// A label whose surface can be exported.
struct SurfaceRow {
  /// 0 for a row that stands for all labels.
  Label label = 0;
  QString text;
  QColor color;
  bool is_shown = true;
};

/// Asks which labels are exported as surfaces, and in which form.
class SurfaceDialog : public QDialog {
  Q_OBJECT

 public:
  /// Labels that are shown are checked first.
  explicit SurfaceDialog(const std::vector<SurfaceRow>& rows, QWidget* parent = nullptr);

  [[nodiscard]] io::SurfaceChoice choice() const;
  /// Returns ".stl" or ".ply".
  [[nodiscard]] QString suffix() const;

 private:
  void build(const std::vector<SurfaceRow>& rows);
  void check_all(bool checked);
  void show_state();

  QListWidget* labels_ = nullptr;
  QComboBox* format_ = nullptr;
  QComboBox* shape_ = nullptr;
  QCheckBox* files_ = nullptr;
  QPushButton* export_ = nullptr;
};

}  // namespace seedwave::ui
