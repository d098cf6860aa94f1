// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot_model.h"
#include "ui/plots/chart_layout.h"

#include <QImage>
#include <QWidget>

#include <optional>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace seedwave::ui {

class ChartView;

/// Actions on the plot, in addition to the panel's buttons.
struct PlotActions {
  QAction* pin = nullptr;
  QAction* copy_csv = nullptr;
  QAction* copy_picture = nullptr;
  QAction* save = nullptr;
};

/// The curve of the displayed run with pinned ones: read, compare, copy, and try out values.
class PlotPanel : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive this.
  PlotPanel(PlotModel& model, RunController& runs, const PlotActions& actions,
            QWidget* parent = nullptr);

  /// Returns x and every displayed curve as CSV.
  [[nodiscard]] QString csv() const;
  [[nodiscard]] QImage picture();
  [[nodiscard]] ChartView& chart() noexcept { return *chart_; }

 signals:
  /// A temporary message for the status bar.
  void said(const QString& text);

 private:
  QHBoxLayout* add_head();
  QHBoxLayout* add_foot();
  void connect_actions();
  void refresh();
  void fill_pinned();
  void read(const PlotSample& sample);
  /// Shows the text without a pointer: the last pick, otherwise a hint.
  void rest();
  void pick(const PlotSample& sample, bool is_peak);
  void apply(const PlotUse& use);
  void show_offers();
  void add_offer(const QString& text, const PlotUse& use);
  [[nodiscard]] QString text_of(const PlotSample& sample) const;

  PlotModel& model_;
  RunController& runs_;
  PlotActions actions_;
  ChartView* chart_ = nullptr;
  QLabel* title_ = nullptr;
  QComboBox* outputs_ = nullptr;
  QComboBox* quantities_ = nullptr;
  QToolButton* pinned_ = nullptr;
  QMenu* pinned_menu_ = nullptr;
  QLabel* readout_ = nullptr;
  QLabel* left_out_ = nullptr;
  QWidget* offers_ = nullptr;
  /// The x of the last picked sample, and its axis.
  std::optional<double> picked_;
  QString picked_text_;
  /// Operations that can use it, if the current one cannot.
  std::vector<PlotUse> others_;
  PlotAxis picked_axis_;
};

}  // namespace seedwave::ui
