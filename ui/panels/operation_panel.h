// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QWidget>

#include <map>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QToolButton;
namespace seedwave::ui {

/// The source of one input of an operation: the open image, nothing, a file, or an output of an
/// earlier run on the same grid.
class InputRow : public QWidget {
  Q_OBJECT

 public:
  explicit InputRow(const InputSpec& input, QWidget* parent = nullptr);

  /// Shows the available sources and the chosen one. Empty: the open image, or none.
  void show_choices(const OperationTable& table, const RunHistory& history, const Geometry& grid,
                    const std::optional<InputChoice>& chosen);
  /// Returns false if there is nothing to choose from yet.
  [[nodiscard]] bool has_choice() const;

 signals:
  void chosen(const std::optional<seedwave::InputChoice>& choice);
  void file_wanted();

 private:
  void on_activated(int row);

  InputSpec input_;
  QComboBox* list_ = nullptr;
  std::vector<InputChoice> offered_;
  int shown_row_ = 0;
};

class ParameterPanel;

/// The window's actions with buttons in the panel. The buttons show key and state.
struct OperationActions {
  QAction* run = nullptr;
  QAction* live = nullptr;
  QAction* re_estimate = nullptr;
  QAction* correct_result = nullptr;
  QAction* pick_place = nullptr;
  QAction* follow_pointer = nullptr;
};

/// The operation, its values and implementation, and the buttons that run it.
class OperationPanel : public QWidget {
  Q_OBJECT

 public:
  /// Models and actions must outlive this.
  OperationPanel(Workbench& workbench, RunController& runs, const OperationActions& actions,
                 QWidget* parent = nullptr);

 signals:
  /// The user wants a file as this input ("marker", "mask") of the operation.
  void input_file_wanted(const QString& input);
  /// The user wants to sweep a parameter.
  void sweep_wanted(const std::string& parameter);
  /// The operation shall read another channel of a slide with several.
  void slide_channel_wanted(int channel);

 private:
  /// Returns the names of the channels of the open slide; empty unless there are several.
  [[nodiscard]] std::vector<std::string> slide_channels() const;
  void build(const OperationActions& actions);
  QLabel* make_message();
  QWidget* make_channel_row();
  QFormLayout* make_implementation_row();
  void connect_rows();
  void fill_operations();
  void fill_channels();
  /// Returns whether chosen labels are read in place of the image.
  [[nodiscard]] bool image_is_replaced() const;
  void show_channel_row();
  void fill_implementations();
  void grow_parameters();
  void grow_inputs();
  void order_tabs();
  void show_inputs();
  void show_values();
  void show_message(const QString& missing);
  void on_part_changed(Part part);

  Workbench& workbench_;
  RunController& runs_;
  QComboBox* operations_ = nullptr;
  QLabel* help_ = nullptr;
  QWidget* channel_row_ = nullptr;
  QComboBox* channels_ = nullptr;
  QToolButton* re_estimate_ = nullptr;
  QToolButton* correct_result_ = nullptr;
  QComboBox* implementations_ = nullptr;
  QWidget* inputs_ = nullptr;
  std::map<std::string, InputRow*> input_rows_;
  std::map<std::string, QCheckBox*> requests_;
  ParameterPanel* parameters_ = nullptr;
  QLabel* message_ = nullptr;
  std::string shown_operation_;
};

}  // namespace seedwave::ui
