// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QColor>
#include <QPoint>
#include <QWidget>

#include <cstdint>
#include <functional>

class QGridLayout;

namespace seedwave::ui {

/// Which colour is which label of a result whose labels the user did not name, and its share of the
/// image: phases, tissues, regions. Hidden where they are too many for that.
class ResultLegend : public QWidget {
  Q_OBJECT

 public:
  /// How a label of the result is drawn.
  using ColorOf = std::function<QColor(std::uint16_t label)>;

  /// `workbench` and `runs` must outlive this.
  ResultLegend(const Workbench& workbench, const RunController& runs, ColorOf color_of,
               QWidget* parent = nullptr);

 signals:
  void context_menu_requested(std::uint16_t label, const QPoint& global);

 private:
  void refresh();
  [[nodiscard]] QWidget* make_entry(std::uint16_t label, std::int64_t voxels);

  const Workbench& workbench_;
  const RunController& runs_;
  ColorOf color_of_;
  QGridLayout* entries_;
};

}  // namespace seedwave::ui
