// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/plot.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// What a place on a curve can be tried out as: a value of a parameter, in an operation that has
/// it.
struct PlotUse {
  std::string operation;
  std::string parameter;
  double value = 0.0;
  /// "37.5°", "angle", "Linear opening".
  QString value_text;
  QString parameter_title;
  QString operation_title;
};

/// The plot: the curve of the run that is shown, and the pinned ones of earlier runs over the same
/// axes.
///
/// A run without a curve leaves the plot as it is: a peak of a spectrum is tried out in another
/// operation, and then the next one. Knows of no operation; all comes from the table.
class PlotModel : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  PlotModel(Workbench& workbench, RunController& runs, QObject* parent = nullptr);

  [[nodiscard]] const Plot& plot() const noexcept { return plot_; }
  /// Draws a curve that belongs to no run of the history, before that of the run that is shown and
  /// the pinned ones; nothing: not any more.
  void look_at(const std::optional<Run>& look, const QString& name);

  /// Whose curve it is, or stands behind what is looked at; 0: there is none.
  [[nodiscard]] std::uint64_t run() const noexcept { return run_; }
  /// "Run 3: Angular spectrum".
  [[nodiscard]] QString title() const;

  /// The run's curves by title; more than one only where its operation gives several.
  [[nodiscard]] const QStringList& outputs() const noexcept { return outputs_; }
  [[nodiscard]] int output() const noexcept { return output_; }
  void choose_output(int output);
  /// What may stand on the y axis: the columns beside x, and last all of them where they have one
  /// unit.
  [[nodiscard]] const QStringList& quantities() const noexcept { return quantities_; }
  /// Until one is chosen the first; of columns that are many of a kind all, unless labels have
  /// theirs.
  [[nodiscard]] int quantity() const noexcept { return quantity_; }
  void choose_quantity(int quantity);

  struct Pinned {
    std::uint64_t run = 0;
    QString name;
    /// False for run A of comparisons, which is pinned as such.
    bool by_curve = true;
  };
  /// All runs whose curves stay, also those that do not fit on the axes.
  [[nodiscard]] const std::vector<Pinned>& pinned() const noexcept { return pinned_; }
  [[nodiscard]] bool is_pinned() const;
  /// Which pinned curves are not drawn, and why; "" where all are.
  [[nodiscard]] const QString& left_out() const noexcept { return left_out_; }

  /// What x can be used as: in the current operation where that has the parameter, else in every
  /// operation that has it, those that ran last first. Empty where x is no parameter's value, or
  /// out of its range.
  [[nodiscard]] std::vector<PlotUse> uses(double x) const;
  /// Whether an x can be a value of a parameter at all.
  [[nodiscard]] bool has_uses() const;
  [[nodiscard]] bool is_current(const PlotUse& use) const;
  /// The current operation has that value already.
  [[nodiscard]] bool is_set(const PlotUse& use) const;
  /// Sets the value, and chooses the operation where it is another one: one step for undo.
  void apply(const PlotUse& use);

 signals:
  void changed();
  /// A run of another operation than the last gave a curve: worth being looked at.
  void curve_came();

 private:
  void refresh();
  void follow_run();
  void tell_what_there_is();
  void add_pinned();
  /// Gives each run's curves the numbers of colours that they had, and new ones free numbers.
  void keep_colors();
  /// Adds another run's curve where it has the same axes; else says which it has.
  [[nodiscard]] std::optional<QString> add_curve(const Run& run, const QString& name);
  /// What is looked at, else the run whose curve it is; null where there is none.
  [[nodiscard]] const Run* drawn_run() const;
  [[nodiscard]] QString name_of_drawn() const;
  [[nodiscard]] std::vector<const Run*> runs_with_curves() const;
  [[nodiscard]] const Operation* operation_of(const Run& run) const;
  [[nodiscard]] const OutputSpec* output_of(const Run& run, int output) const;
  [[nodiscard]] PlotAxis axis_of(const Run& run, const ColumnSpec& column) const;
  [[nodiscard]] double scale_of(const Run& run, const ColumnSpec& column) const;
  /// Of the quantity that is chosen, or that stands at its place, or of all.
  [[nodiscard]] Plot plot_of(const Run& run, const OutputSpec& output, const QString& name) const;
  [[nodiscard]] bool is_drawn(const QStringList& titles, const QString& title) const;
  [[nodiscard]] QString name_of_run(const Run& run) const;

  Workbench& workbench_;
  RunController& runs_;
  std::uint64_t run_ = 0;
  std::optional<Run> look_;
  QString look_name_;
  /// Of the last curve that came.
  std::string came_from_;
  int output_ = 0;
  int quantity_ = 0;
  /// The user's choice, of the operation whose run is shown.
  std::optional<int> chosen_quantity_;
  std::string quantities_of_;
  QStringList outputs_;
  QStringList quantities_;
  Plot plot_;
  std::vector<Pinned> pinned_;
  /// The number of a colour by the run and the curve's place among the run's own: a run keeps its
  /// colour as long as it is drawn, whichever is shown.
  std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> colors_;
  QString left_out_;
};

}  // namespace seedwave::ui
