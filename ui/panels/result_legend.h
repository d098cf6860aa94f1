// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QColor>
#include <QPoint>
#include <QString>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

class QGridLayout;
class QToolButton;

namespace seedwave::ui {

/// Legend of a result whose labels the user did not name (phases, tissues, regions): colour, label
/// and fraction of the image. An entry opens the menu of its label. Hidden if there are too many
/// labels, and while only a part of a new result is visible.
class ResultLegend : public QWidget {
  Q_OBJECT

 public:
  /// Returns the colour of a label of the result.
  using ColorOf = std::function<QColor(Label label)>;

  /// `workbench` and `runs` must outlive this.
  ResultLegend(const Workbench& workbench, const RunController& runs, ColorOf color_of,
               QWidget* parent = nullptr);

 signals:
  void menu_requested(Label label, const QPoint& global);

 private:
  struct Entry {
    Label label = 0;
    QString name;
    QColor color;
    std::int64_t voxels = 0;
    bool operator==(const Entry&) const = default;
  };
  void refresh();
  /// Empty if there is no legend.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// Adds the button of an entry by its number; the entry itself may change.
  void add_button(std::size_t number);
  void show_entry(const Entry& entry, QToolButton& button) const;

  const Workbench& workbench_;
  const RunController& runs_;
  ColorOf color_of_;
  QGridLayout* layout_;
  std::vector<Entry> shown_;
  std::vector<QToolButton*> buttons_;  // for the largest number of entries
};

}  // namespace seedwave::ui
