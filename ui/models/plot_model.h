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

/// A use of a place on a curve: as the value of a parameter of an operation.
struct PlotUse {
  std::string operation;
  std::string parameter;
  double value = 0.0;
  /// "37.5°", "angle", "Linear opening".
  QString value_text;
  QString parameter_title;
  QString operation_title;
};

/// The plot: the curve of the displayed run, and pinned curves of earlier runs over the same axes.
///
/// A run without a curve does not change the plot. So one can try out a peak of a spectrum in
/// another operation, and then the next peak. Independent of operations: everything comes from the
/// table.
class PlotModel : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  PlotModel(Workbench& workbench, RunController& runs, QObject* parent = nullptr);

  [[nodiscard]] const Plot& plot() const noexcept { return plot_; }
  /// Draws a curve that belongs to no run of the history, before those of the displayed run and the
  /// pinned ones. Empty: draws it no longer.
  void look_at(const std::optional<Run>& look, const QString& name);

  /// Returns the run of the curve, which is also the run behind a curve of look_at(); 0 if there is
  /// none.
  [[nodiscard]] std::uint64_t run() const noexcept { return run_; }
  /// Returns a title such as "Run 3: Angular spectrum".
  [[nodiscard]] QString title() const;

  /// Returns the titles of the run's curves; more than one only if its operation has several.
  [[nodiscard]] const QStringList& outputs() const noexcept { return outputs_; }
  [[nodiscard]] int output() const noexcept { return output_; }
  void choose_output(int output);
  /// Returns the choices for the y axis: the columns other than x and, if they share a unit, all of
  /// them.
  [[nodiscard]] const QStringList& quantities() const noexcept { return quantities_; }
  /// Returns the chosen quantity. Default: the first; if columns repeat and labels have none, all.
  [[nodiscard]] int quantity() const noexcept { return quantity_; }
  void choose_quantity(int quantity);

  struct Pinned {
    std::uint64_t run = 0;
    QString name;
    /// Not set for run A of a comparison, which is pinned as such.
    bool by_curve = true;
  };
  /// Returns all runs with pinned curves, including those that do not fit the axes.
  [[nodiscard]] const std::vector<Pinned>& pinned() const noexcept { return pinned_; }
  [[nodiscard]] bool is_pinned() const;
  /// Returns which pinned curves are not drawn, and why; empty if all are drawn.
  [[nodiscard]] const QString& left_out() const noexcept { return left_out_; }

  /// Returns the uses of x: in the current operation if it has the parameter, otherwise in every
  /// operation that has it, most recently run first. Empty if x is not a value of a parameter, or
  /// out of its range.
  [[nodiscard]] std::vector<PlotUse> uses(double x) const;
  /// Returns whether x can be a value of a parameter at all.
  [[nodiscard]] bool has_uses() const;
  [[nodiscard]] bool is_current(const PlotUse& use) const;
  /// Returns whether the current operation already has that value.
  [[nodiscard]] bool is_set(const PlotUse& use) const;
  /// Sets the value, and chooses the operation if it is another one: one undo step.
  void apply(const PlotUse& use);

 signals:
  void changed();
  /// A run of another operation than the last has a curve, which the user may want to see.
  void curve_came();

 private:
  void refresh();
  void follow_run();
  void tell_what_there_is();
  void add_pinned();
  /// Keeps the colour numbers of each run's curves, and assigns free numbers to new ones.
  void keep_colors();
  /// Adds the curve of another run if it has the same axes; otherwise returns the axes that it has.
  [[nodiscard]] std::optional<QString> add_curve(const Run& run, const QString& name);
  /// Returns the run of look_at(), otherwise the run of the curve; null if there is none.
  [[nodiscard]] const Run* drawn_run() const;
  [[nodiscard]] QString name_of_drawn() const;
  [[nodiscard]] std::vector<const Run*> runs_with_curves() const;
  [[nodiscard]] const Operation* operation_of(const Run& run) const;
  [[nodiscard]] const OutputSpec* output_of(const Run& run, int output) const;
  [[nodiscard]] PlotAxis axis_of(const Run& run, const ColumnSpec& column) const;
  [[nodiscard]] double scale_of(const Run& run, const ColumnSpec& column) const;
  /// Returns the plot of the chosen quantity, of the one at its place, or of all.
  [[nodiscard]] Plot plot_of(const Run& run, const OutputSpec& output, const QString& name) const;
  [[nodiscard]] bool is_drawn(const QStringList& titles, const QString& title) const;
  [[nodiscard]] QString name_of_run(const Run& run) const;

  Workbench& workbench_;
  RunController& runs_;
  std::uint64_t run_ = 0;
  std::optional<Run> look_;
  QString look_name_;
  /// The operation of the last curve that was announced.
  std::string came_from_;
  int output_ = 0;
  int quantity_ = 0;
  /// The user's choice, for the operation of the displayed run.
  std::optional<int> chosen_quantity_;
  std::string quantities_of_;
  QStringList outputs_;
  QStringList quantities_;
  Plot plot_;
  std::vector<Pinned> pinned_;
  /// Colour numbers by run and place among the run's curves: a run keeps its colour while it is
  /// drawn, whichever run is displayed.
  std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> colors_;
  QString left_out_;
};

}  // namespace seedwave::ui
