// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"

#include <QColor>
#include <QImage>
#include <QWidget>

#include <functional>

namespace seedwave::ui {

/// A slide, small, with the labels of a run on it over it, as far as they are known.
class MapSoFar : public QWidget {
  Q_OBJECT

 public:
  using ColorOf = std::function<QColor(Label)>;
  /// `slide`: the whole slide, in the size in which it is shown.
  MapSoFar(const QImage& slide, ColorOf color_of, QWidget* parent = nullptr);

  /// Shows these over the slide: numbers of labels in an image of 8 or 16 grey levels, of any size;
  /// 0 is none. A null image shows none.
  void show_labels(const QImage& labels);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QImage slide_;
  ColorOf color_of_;
  QImage labels_;  // in their colours
};

}  // namespace seedwave::ui
