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

/// What can be done with the plot, beside the panel's buttons.
struct PlotActions {
  QAction* pin = nullptr;
  QAction* copy_csv = nullptr;
  QAction* copy_picture = nullptr;
  QAction* save = nullptr;
};

/// The curve of the run that is shown, with pinned ones: read, compared, copied, and tried out.
class PlotPanel : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive this.
  PlotPanel(PlotModel& model, RunController& runs, const PlotActions& actions,
            QWidget* parent = nullptr);

  /// x and every curve that is shown, as CSV.
  [[nodiscard]] QString csv() const;
  [[nodiscard]] QImage picture();
  [[nodiscard]] ChartView& chart() noexcept { return *chart_; }

 signals:
  /// Something to tell in the status line, for a while.
  void said(const QString& text);

 private:
  QHBoxLayout* add_head();
  QHBoxLayout* add_foot();
  void connect_actions();
  void refresh();
  void fill_pinned();
  void read(const PlotSample& sample);
  /// What is read without a pointer: what was picked last, else what can be done.
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
  /// Of the sample that was picked last; its run's axes.
  std::optional<double> picked_;
  QString picked_text_;
  /// The operations that it can be tried out in, where the current one was none of them.
  std::vector<PlotUse> others_;
  PlotAxis picked_axis_;
};

}  // namespace seedwave::ui
