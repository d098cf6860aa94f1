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

/// Tries many values of one or two parameters: which, from where to where; the figures as a heat
/// map and as a table; a click brings a run back. Not modal: the window goes on.
class SweepDialog : public QDialog {
  Q_OBJECT

 public:
  /// All must outlive this.
  SweepDialog(Workbench& workbench, RunController& runs, SweepController& sweep,
              QWidget* parent = nullptr);

  /// Fills the form in for one parameter alone, around the value that it has.
  void sweep_parameter(const std::string& id);

 signals:
  /// The table, and the heat map or curve as it is on screen.
  void save_wanted(const QString& csv, const QImage& picture);

 private:
  /// One parameter's row of the form.
  struct Row {
    QComboBox* parameter = nullptr;
    QLineEdit* from = nullptr;
    QLineEdit* to = nullptr;
    QSpinBox* count = nullptr;
    QComboBox* scale = nullptr;
  };
  enum class Needed { Always, Optional };

  // The dialog from top to bottom.
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
  /// One parameter's numbers as a curve, all else as a heat map.
  void show_figures();
  void show_heat_map();
  [[nodiscard]] Plot curve() const;
  [[nodiscard]] QString csv() const;
  [[nodiscard]] QImage picture();
  /// What a parameter has now, or had in the run that is shown; nothing where that is no number.
  [[nodiscard]] std::optional<double> value_now(const std::string& id) const;
  /// Running, or paused.
  [[nodiscard]] bool is_under_way() const;
  void show_progress();
  [[nodiscard]] QString progress_text() const;
  [[nodiscard]] QString found_text() const;
  void choose(std::size_t run);
  void copy_table();
  [[nodiscard]] std::optional<Vary> vary_of(const Row& row) const;
  /// Throws UsageError that says what is wrong with the form.
  [[nodiscard]] SweepGrid planned() const;
  [[nodiscard]] SweepMeasure measure() const;
  [[nodiscard]] QString sentence_of(std::size_t run) const;

  Workbench& workbench_;
  RunController& runs_;
  SweepController& sweep_;
  SweepModel model_;
  /// The operation whose parameters stand in the form, on images or on volumes.
  std::string operation_;
  bool is_2d_ = false;
  /// What `measures_` was filled from.
  const Sweep* measured_ = nullptr;
  std::vector<SweepMeasure> measures_;
  Row rows_[2];
  QLabel* plan_ = nullptr;
  QLabel* note_ = nullptr;
  QLabel* pointed_ = nullptr;
  QLabel* found_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* run_ = nullptr;
  QPushButton* pause_ = nullptr;
  QPushButton* take_ = nullptr;
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
