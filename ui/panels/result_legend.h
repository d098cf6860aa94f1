// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Which colour is which label of a result whose labels the user did not name, and its share of the
/// image: phases, tissues, regions. An entry opens its label's menu. Hidden where they are too many
/// to be told apart, and while another result is on its way of which a part is seen.
class ResultLegend : public QWidget {
  Q_OBJECT

 public:
  /// How a label of the result is drawn.
  using ColorOf = std::function<QColor(std::uint16_t label)>;

  /// `workbench` and `runs` must outlive this.
  ResultLegend(const Workbench& workbench, const RunController& runs, ColorOf color_of,
               QWidget* parent = nullptr);

 signals:
  void menu_requested(std::uint16_t label, const QPoint& global);

 private:
  struct Entry {
    std::uint16_t label = 0;
    QString name;
    QColor color;
    std::int64_t voxels = 0;
    bool operator==(const Entry&) const = default;
  };
  void refresh();
  /// Empty: no legend.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// For the entry of that number, whichever it is at the time.
  void add_button(std::size_t number);
  void show_entry(const Entry& entry, QToolButton& button) const;

  const Workbench& workbench_;
  const RunController& runs_;
  ColorOf color_of_;
  QGridLayout* layout_;
  std::vector<Entry> shown_;
  std::vector<QToolButton*> buttons_;  // for as many entries as there can be
};

}  // namespace seedwave::ui
