// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/cohort_model.h"
#include "ui/models/cohort_run.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <map>
#include <string>
#include <vector>

class QComboBox;
class QFormLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTimer;
class QTreeView;

namespace seedwave::ui {

/// The choices for a recipe on many cases, the list of these, and the progress. The window stays
/// usable.
class ApplyDialog : public QDialog {
  Q_OBJECT

 public:
  /// Both must outlive this.
  ApplyDialog(CohortModel& model, CohortRun& run, QWidget* parent = nullptr);

  /// Adds a recipe to choose from.
  void add_recipe(const QString& title);
  void choose_recipe(int place);
  /// The place of the chosen recipe; -1: none.
  [[nodiscard]] int recipe() const;
  /// Describes the chosen recipe, and asks for the files beside each image that it reads.
  void show_recipe(const QString& text, const std::vector<std::string>& inputs);
  /// Names of files by the input that they are, as CohortSources::beside.
  [[nodiscard]] std::map<std::string, std::string> beside() const;
  /// Returns whether sources_changed() is about to be emitted for a text that is being typed.
  [[nodiscard]] bool is_settling() const;
  /// Says whether cases are being looked for before a start: nothing can be changed meanwhile.
  void show_looking(bool looking);
  /// The folder for the results.
  [[nodiscard]] QString folder() const;
  /// Sets it if none is chosen.
  void suggest_folder(const QString& folder);
  [[nodiscard]] int jobs() const;
  /// A message of one line, until the state changes.
  void say(const QString& text);
  /// Shows that the run has ended, and why if not all was done.
  void show_end(const QString& message);

 signals:
  void recipe_chosen();
  void recipe_file_added(const QString& path);
  void paths_added(const QStringList& paths);
  /// Names of files or the folder have changed.
  void sources_changed();
  void start_wanted();
  void command_wanted();
  /// The user wants to see the case in this row of the model.
  void open_wanted(int row);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QFormLayout* make_form();
  QHBoxLayout* make_adding();
  QTreeView* make_list();
  QHBoxLayout* make_foot();
  QPushButton* add_button(QHBoxLayout& row, const QString& text, const char* name);
  void connect_all();
  void ask_recipe();
  void ask_files();
  void ask_folder();
  void ask_output();
  void remove_selected();
  void open_selected();
  void show_state();
  [[nodiscard]] QString state_text() const;
  [[nodiscard]] std::vector<int> selected() const;

  CohortModel& model_;
  CohortRun& run_;
  QSortFilterProxyModel* sorted_ = nullptr;
  QFormLayout* form_ = nullptr;
  QComboBox* recipes_ = nullptr;
  QPushButton* recipe_file_ = nullptr;
  QLabel* about_ = nullptr;
  std::map<std::string, QLineEdit*> beside_;  // by input
  QLineEdit* folder_ = nullptr;
  QPushButton* choose_folder_ = nullptr;
  QSpinBox* jobs_ = nullptr;
  std::vector<QPushButton*> adding_;
  QPushButton* remove_ = nullptr;
  QTreeView* list_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel* state_ = nullptr;
  QPushButton* start_ = nullptr;
  QPushButton* pause_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QPushButton* open_ = nullptr;
  QPushButton* open_folder_ = nullptr;
  QPushButton* copy_ = nullptr;
  bool looking_ = false;
  QTimer* settling_ = nullptr;  // a text that is being typed
  QString message_;             // why the run ended early
};

}  // namespace seedwave::ui
