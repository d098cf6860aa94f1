// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/vary.h"
#include "ui/models/plot.h"
#include "ui/models/sweep_controller.h"
#include "ui/models/sweep_model.h"

#include <QDialog>
#include <QImage>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QStackedWidget;
class QTreeView;

namespace seedwave::ui {

class ChartView;
class HeatMap;

/// Runs many values of one or two parameters: a form for the ranges, and the figures as a heat map
/// and a table. A click restores a run. Not modal: the window can be used meanwhile.
class SweepDialog : public QDialog {
  Q_OBJECT

 public:
  /// All must outlive this.
  SweepDialog(Workbench& workbench, RunController& runs, SweepController& sweep,
              QWidget* parent = nullptr);
  /// Hides first, as long as the model is there: views that are hidden finish their layout.
  ~SweepDialog() override;

  /// Fills in the form for one parameter, around its current value.
  void sweep_parameter(const std::string& id);

 signals:
  /// The table, and the heat map or curve as it is on screen.
  void save_wanted(const QString& csv, const QImage& picture);

 private:
  /// The row of a parameter in the form.
  struct Row {
    QComboBox* parameter = nullptr;
    QLineEdit* from = nullptr;
    QLineEdit* to = nullptr;
    QSpinBox* count = nullptr;
    QComboBox* scale = nullptr;
  };
  enum class Needed { Always, Optional };

  // Parts of the dialog from top to bottom.
  QGridLayout* make_form();
  QHBoxLayout* make_bar();
  QWidget* make_figures(QWidget* parent);
  QWidget* make_list(QWidget* parent);
  QHBoxLayout* make_foot();
  void connect_buttons();
  void connect_figures();
  void connect_models();
  Row add_row(QGridLayout& form, int line, const QString& name, Needed needed);
  void follow_document();
  void fill_parameters();
  void offer_values(Row& row);
  void show_plan();
  void run_or_stop();
  void follow_sweep();
  void show_measures();
  /// Chooses the score that ranks the runs as the measure when it becomes another one.
  void show_ranking_score();
  /// Shows a curve for numbers of one parameter, otherwise a heat map.
  void show_figures();
  void show_heat_map();
  [[nodiscard]] Plot curve() const;
  [[nodiscard]] QString csv() const;
  [[nodiscard]] QImage picture();
  /// Returns the current value of a parameter, or its value in the displayed run; nothing if that
  /// is not a number.
  [[nodiscard]] std::optional<double> value_now(const std::string& id) const;
  /// Returns whether the sweep is running or paused.
  [[nodiscard]] bool is_under_way() const;
  void show_progress();
  [[nodiscard]] QString progress_text() const;
  [[nodiscard]] QString found_text() const;
  /// Returns the parameters beyond whose values the plateau may continue, after the sweep.
  [[nodiscard]] std::vector<std::string> open_ends() const;
  /// Returns whether the form names the operation and parameters of the sweep.
  [[nodiscard]] bool is_form_of_sweep() const;
  void extend_range();
  void choose(std::size_t run);
  void copy_table();
  [[nodiscard]] std::optional<Vary> vary_of(const Row& row) const;
  /// Throws UsageError with a message about an error in the form.
  [[nodiscard]] SweepGrid planned() const;
  [[nodiscard]] SweepMeasure measure() const;
  [[nodiscard]] QString sentence_of(std::size_t run) const;

  Workbench& workbench_;
  RunController& runs_;
  SweepController& sweep_;
  SweepModel model_;
  /// The operation of the parameters in the form, and whether the image is 2-D.
  std::string operation_;
  bool is_2d_ = false;
  /// The sweep of `measures_`.
  const Sweep* measured_ = nullptr;
  std::vector<SweepMeasure> measures_;
  ScoreKind ranked_by_ = ScoreKind::Dice;
  bool is_measure_chosen_ = false;
  Row rows_[2];
  QLabel* plan_ = nullptr;
  QLabel* note_ = nullptr;
  QLabel* pointed_ = nullptr;
  QLabel* found_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* run_ = nullptr;
  QPushButton* pause_ = nullptr;
  QPushButton* take_ = nullptr;
  QPushButton* extend_ = nullptr;
  QPushButton* copy_ = nullptr;
  QPushButton* save_ = nullptr;
  QComboBox* measure_ = nullptr;
  QStackedWidget* figures_ = nullptr;
  HeatMap* map_ = nullptr;
  ChartView* chart_ = nullptr;
  QTreeView* list_ = nullptr;
  QSortFilterProxyModel* sorted_ = nullptr;
};

}  // namespace seedwave::ui
