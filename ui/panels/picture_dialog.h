// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/view_picture.h"

#include <QDialog>
#include <QImage>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;

namespace seedwave::ui {

/// Asks for the content of a picture of the views, with a preview.
class PictureDialog : public QDialog {
  Q_OBJECT

 public:
  using Take = std::function<QImage(const PictureChoice& choice)>;

  /// Begins with `choice`. `has_crosshair`: the crosshair is shown on screen.
  PictureDialog(Take take, const PictureChoice& choice, bool has_crosshair,
                QWidget* parent = nullptr);

  [[nodiscard]] PictureChoice choice() const;

 signals:
  void save_wanted(const QImage& picture);
  void copy_wanted(const QImage& picture);

 private:
  void build(const PictureChoice& choice, bool has_crosshair);
  void show_preview();

  Take take_;
  QComboBox* views_ = nullptr;
  QComboBox* scale_ = nullptr;
  QCheckBox* annotations_ = nullptr;
  QCheckBox* crosshair_ = nullptr;
  QLabel* preview_ = nullptr;
  QLabel* size_ = nullptr;
};

}  // namespace seedwave::ui
