// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/chart_pipeline.h"

#include <vtkAxis.h>
#include <vtkBrush.h>
#include <vtkChartXY.h>
#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPen.h>
#include <vtkPlotLine.h>
#include <vtkPlotPoints.h>
#include <vtkRect.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace seedwave::ui {

namespace {

constexpr float kShownWidth = 2.0F;
constexpr float kPinnedWidth = 1.4F;
constexpr float kPeakSize = 7.0F;
constexpr int kSmoothing = 4;  // samples a pixel; VTK resolves them in its own framebuffers

/// Returns the position of a number between the ends of an axis, 0 to 1.
///
/// VTK is given positions, not numbers. Its charts keep single precision, and for an axis that
/// begins far from 0 they shift the samples one rendering after the axis.
double place_on(const PlotRange& axis, double number) {
  return (number - axis.low) / (axis.high - axis.low);
}

bool has_place(const PlotCurve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
}

std::vector<std::size_t> all_samples(const PlotCurve& curve) {
  std::vector<std::size_t> all(std::min(curve.x.size(), curve.y.size()));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Samples whose x is not finite are left out; those whose y is not finite interrupt the line.
vtkSmartPointer<vtkTable> table_of(const PlotCurve& curve, const std::vector<std::size_t>& chosen,
                                   const ChartAxes& axes) {
  vtkNew<vtkDoubleArray> x;
  vtkNew<vtkDoubleArray> y;
  x->SetName("x");
  y->SetName("y");
  for (const std::size_t i : chosen) {
    if (!std::isfinite(curve.x[i])) continue;
    x->InsertNextValue(place_on(axes.x, curve.x[i]));
    y->InsertNextValue(place_on(axes.y, curve.y[i]));
  }
  auto table = vtkSmartPointer<vtkTable>::New();
  table->AddColumn(x);
  table->AddColumn(y);
  return table;
}

void set_pen(vtkPen* pen, const QColor& color, float width) {
  pen->SetColor(static_cast<unsigned char>(color.red()), static_cast<unsigned char>(color.green()),
                static_cast<unsigned char>(color.blue()));
  pen->SetWidth(width);
}

}  // namespace

class ChartPipeline::Private {
 public:
  explicit Private(vtkRenderWindow* window) : window_(window) {
    // Lines a pixel wide are jagged otherwise.
    window->SetMultiSamples(kSmoothing);
    window->AddRenderer(renderer_);
    renderer_->AddActor(actor_);
    actor_->GetScene()->SetRenderer(renderer_);
    actor_->GetScene()->AddItem(chart_);
    // The widget sets the position of the axes, so that its texts stand beside them.
    chart_->SetAutoSize(false);
    chart_->SetLayoutStrategy(vtkChart::AXES_TO_RECT);
    chart_->SetInteractive(false);
    chart_->SetShowLegend(false);
    chart_->SetHiddenAxisBorder(0);
    chart_->GetBackgroundBrush()->SetOpacity(0);
    for (const int at : {vtkAxis::LEFT, vtkAxis::BOTTOM}) {
      vtkAxis* axis = chart_->GetAxis(at);
      axis->SetBehavior(vtkAxis::CUSTOM);
      axis->SetTitle("");
      axis->SetLabelsVisible(false);
      axis->SetGridVisible(true);
      axis->SetMargins(0, 0);
    }
    for (const int at : {vtkAxis::RIGHT, vtkAxis::TOP})
      chart_->GetAxis(at)->SetVisible(false);
  }

  ~Private() { window_->RemoveRenderer(renderer_); }

  void colour_plots() {
    if (colors_.curves.empty()) return;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool shown = plot_.curves[i].run == plot_.curves.front().run;
      const QColor color = colors_.of(plot_, i);
      set_pen(lines_[i]->GetPen(), color, (shown ? kShownWidth : kPinnedWidth) * ratio_);
      set_pen(marks_[i]->GetPen(), color, ratio_);
      marks_[i]->SetMarkerSize(kPeakSize * ratio_);
    }
  }

  void place_samples() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const PlotCurve& curve = plot_.curves[i];
      lines_[i]->SetInputData(table_of(curve, all_samples(curve), axes_), 0, 1);
      marks_[i]->SetInputData(table_of(curve, marked_[i], axes_), 0, 1);
    }
  }

  vtkSmartPointer<vtkRenderWindow> window_;
  vtkNew<vtkRenderer> renderer_;
  vtkNew<vtkContextActor> actor_;
  vtkNew<vtkChartXY> chart_;
  Plot plot_;
  ChartAxes axes_;
  /// For each curve: its line, its marks, and the samples that are marked.
  std::vector<vtkSmartPointer<vtkPlotLine>> lines_;
  std::vector<vtkSmartPointer<vtkPlotPoints>> marks_;
  std::vector<std::vector<std::size_t>> marked_;
  PlotColors colors_;
  float ratio_ = 1.0F;
};

ChartPipeline::ChartPipeline(vtkRenderWindow* window) : d_(std::make_unique<Private>(window)) {}

ChartPipeline::~ChartPipeline() = default;

void ChartPipeline::set_plot(const Plot& plot, const std::vector<std::vector<std::size_t>>& peaks) {
  d_->chart_->ClearPlots();
  d_->lines_.clear();
  d_->marks_.clear();
  d_->plot_ = plot;
  d_->marked_ = peaks;
  std::vector<bool> has_line;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    std::vector<std::size_t> seen = all_samples(plot.curves[i]);
    std::erase_if(seen, [&](std::size_t at) { return !has_place(plot.curves[i], at); });
    has_line.push_back(seen.size() > 1);
    if (!has_line.back()) d_->marked_[i] = seen;  // one sample makes no line
    d_->lines_.push_back(vtkSmartPointer<vtkPlotLine>::New());
    auto marks = vtkSmartPointer<vtkPlotPoints>::New();
    marks->SetMarkerStyle(vtkPlotPoints::CIRCLE);
    d_->marks_.push_back(marks);
  }
  // The shown curve is drawn last, over the pinned ones.
  for (std::size_t i = d_->lines_.size(); i-- > 0;) {
    if (has_line[i]) d_->chart_->AddPlot(d_->lines_[i]);
    if (!d_->marked_[i].empty()) d_->chart_->AddPlot(d_->marks_[i]);
  }
  d_->place_samples();
  d_->colour_plots();
}

void ChartPipeline::set_colors(const PlotColors& colors) {
  d_->colors_ = colors;
  d_->renderer_->SetBackground(colors.background.redF(), colors.background.greenF(),
                               colors.background.blueF());
  for (const int at : {vtkAxis::LEFT, vtkAxis::BOTTOM}) {
    vtkAxis* axis = d_->chart_->GetAxis(at);
    set_pen(axis->GetPen(), colors.axis, d_->ratio_);
    set_pen(axis->GetGridPen(), colors.grid, d_->ratio_);
  }
  d_->colour_plots();
}

void ChartPipeline::set_axes(const ChartAxes& axes, double height, double ratio) {
  const auto device = [ratio](double length) { return static_cast<float>(length * ratio); };
  d_->chart_->SetSize(vtkRectf(device(axes.area.left()), device(height - axes.area.bottom()),
                               device(axes.area.width()), device(axes.area.height())));
  const bool moved = axes.x != d_->axes_.x || axes.y != d_->axes_.y;
  d_->axes_ = axes;
  const auto set = [&](int at, const PlotRange& range, const std::vector<double>& marks) {
    vtkAxis* axis = d_->chart_->GetAxis(at);
    vtkNew<vtkDoubleArray> positions;
    vtkNew<vtkStringArray> texts;
    for (const double mark : marks) {
      positions->InsertNextValue(place_on(range, mark));
      texts->InsertNextValue("");
    }
    axis->SetUnscaledRange(0.0, 1.0);
    axis->SetCustomTickPositions(positions, texts);
  };
  set(vtkAxis::BOTTOM, axes.x, axes.x_marks);
  set(vtkAxis::LEFT, axes.y, axes.y_marks);
  if (moved) d_->place_samples();
  if (d_->ratio_ != static_cast<float>(ratio)) {
    d_->ratio_ = static_cast<float>(ratio);
    set_colors(PlotColors(d_->colors_));
  }
}

}  // namespace seedwave::ui
