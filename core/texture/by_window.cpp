// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/lag_table.h"
#include "core/texture/spectrum.h"
#include "core/texture/strips.h"
#include "core/texture/tpcf.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace seedwave {
namespace texture {
namespace {

/// Number of pairs of cells of one phase in a window, for each lag of the table.
using Counts = std::vector<std::int32_t>;

/// Cells of a rectangle of the image that belong to a phase, 0 or 1, stored by rows or by columns.
class Mask {
 public:
  enum class Order { Rows, Columns };

  Mask(const TpcfProblem& problem, std::int64_t phase, const Rectangle& cells, Order order)
      : step_x_(order == Order::Rows ? 1 : cells.rows),
        step_y_(order == Order::Rows ? cells.columns : 1),
        cells_(static_cast<std::size_t>(cells.columns * cells.rows)) {
    for (std::int64_t y = 0; y < cells.rows; ++y) {
      for (std::int64_t x = 0; x < cells.columns; ++x) {
        cells_[static_cast<std::size_t>(x * step_x_ + y * step_y_)] =
            problem.phases.at({cells.x + x, cells.y + y, 0}) == phase ? 1 : 0;
      }
    }
  }
  [[nodiscard]] const std::uint8_t* at(std::int64_t x, std::int64_t y) const {
    return &cells_[static_cast<std::size_t>(x * step_x_ + y * step_y_)];
  }

 private:
  std::int64_t step_x_;
  std::int64_t step_y_;
  std::vector<std::uint8_t> cells_;
};

/// Returns the number of `count` positions that are set in both.
std::int32_t common(const std::uint8_t* a, const std::uint8_t* b, std::int64_t count) {
  constexpr std::int64_t kMost = 255;  // then the sum fits a byte, and loops work on bytes
  std::int32_t all = 0;
  for (std::int64_t first = 0; first < count; first += kMost) {
    std::uint8_t sum = 0;
    for (std::int64_t i = first; i < std::min(first + kMost, count); ++i)
      sum = static_cast<std::uint8_t>(sum + (a[i] & b[i]));
    all += sum;
  }
  return all;
}

/// Processes phase by phase, and row by row of windows.
class WindowWalker : public StripWalker {
 public:
  WindowWalker(const TpcfProblem& problem, const LagTable& table, const Context& context)
      : problem_(problem), table_(table), context_(context) {}

 protected:
  /// Returns the cells of all windows of a strip.
  [[nodiscard]] Rectangle cells_of(const Rectangle& strip) const {
    return {strip.x, strip.y, strip.columns + problem_.window - 1,
            strip.rows + problem_.window - 1};
  }
  void put(const Rectangle& strip, std::int64_t phase, std::int64_t column, std::int64_t row,
           const Counts& counts, float* values) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(radius_count(table_.window)));
    table_.add(counts, sums);
    std::int64_t plane = (phase - 1) * std::ssize(sums);
    for (const std::int64_t sum : sums)
      values[(plane++ * strip.rows + row) * strip.columns + column] = feature_of(sum);
  }
  void stop_if_asked() const {
    if (context_.stop_requested()) throw Cancelled();
  }

  const TpcfProblem& problem_;
  const LagTable& table_;

 private:
  const Context& context_;
};

class NaiveWalker : public WindowWalker {
 public:
  using WindowWalker::WindowWalker;

  void fill(const Rectangle& strip, float* values, std::uint8_t*) override {
    for (std::int64_t phase = 1; phase <= problem_.count; ++phase) {
      const Mask mask(problem_, phase, cells_of(strip), Mask::Order::Rows);
      Counts counts(table_.lags.size());
      for (std::int64_t row = 0; row < strip.rows; ++row) {
        for (std::int64_t column = 0; column < strip.columns; ++column) {
          for (std::size_t i = 0; i < counts.size(); ++i) {
            stop_if_asked();
            counts[i] = count(mask, column, row, table_.lags[i]);
          }
          put(strip, phase, column, row, counts, values);
        }
      }
    }
  }

 private:
  /// Returns the number of pairs at a lag of the window at (x, y).
  [[nodiscard]] std::int32_t count(const Mask& mask, std::int64_t x, std::int64_t y,
                                   const Lag& lag) const {
    const std::int64_t first = std::max(0, -lag.dx);
    std::int32_t sum = 0;
    for (std::int64_t j = 0; j < table_.window - lag.dy; ++j) {
      sum += common(mask.at(x + first, y + j), mask.at(x + first + lag.dx, y + j + lag.dy),
                    table_.window - std::abs(lag.dx));
    }
    return sum;
  }
};

/// Moves from left to right. The pairs of a column with the cells beside it and within it are added
/// to a window (the paper, equations 8 and 9), at the required lags.
class UpdateWalker : public WindowWalker {
 public:
  using WindowWalker::WindowWalker;

  void fill(const Rectangle& strip, float* values, std::uint8_t*) override {
    const std::int64_t window = table_.window;
    for (std::int64_t phase = 1; phase <= problem_.count; ++phase) {
      const Mask mask(problem_, phase, cells_of(strip), Mask::Order::Columns);
      for (std::int64_t row = 0; row < strip.rows; ++row) {
        Counts counts(table_.lags.size());
        // Builds the first window column by column.
        for (std::int64_t x = 0; x < window; ++x)
          enter(mask, x, row, x + 1, counts);
        put(strip, phase, 0, row, counts, values);
        for (std::int64_t column = 1; column < strip.columns; ++column) {
          stop_if_asked();
          leave(mask, column - 1, row, counts);
          enter(mask, column + window - 1, row, window, counts);
          put(strip, phase, column, row, counts, values);
        }
      }
    }
  }

 private:
  /// Adds column x on the right of a window, which then has `columns` columns.
  void enter(const Mask& mask, std::int64_t x, std::int64_t y, std::int64_t columns,
             Counts& counts) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Lag& lag = table_.lags[i];
      if (std::abs(lag.dx) < columns) counts[i] += pairs(mask, x - std::max(0, lag.dx), y, lag);
    }
  }
  /// Removes column x on the left of a whole window.
  void leave(const Mask& mask, std::int64_t x, std::int64_t y, Counts& counts) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Lag& lag = table_.lags[i];
      counts[i] -= pairs(mask, x + std::max(0, -lag.dx), y, lag);
    }
  }
  /// Returns the number of pairs whose first cell is in column x.
  [[nodiscard]] std::int32_t pairs(const Mask& mask, std::int64_t x, std::int64_t y,
                                   const Lag& lag) const {
    return common(mask.at(x, y), mask.at(x + lag.dx, y + lag.dy), table_.window - lag.dy);
  }
};

class FftWalker : public WindowWalker {
 public:
  FftWalker(const TpcfProblem& problem, const LagTable& table, const Context& context)
      : WindowWalker(problem, table, context), spectrum_(table.window) {}

  void fill(const Rectangle& strip, float* values, std::uint8_t*) override {
    const std::int64_t window = table_.window;
    const Rectangle cells = cells_of(strip);
    for (std::int64_t phase = 1; phase <= problem_.count; phase += 2) {
      const Mask first(problem_, phase, cells, Mask::Order::Rows);
      const Mask second(problem_, phase + 1, cells, Mask::Order::Rows);
      for (std::int64_t row = 0; row < strip.rows; ++row) {
        for (std::int64_t column = 0; column < strip.columns; ++column) {
          stop_if_asked();
          for (std::int64_t y = 0; y < window; ++y)
            spectrum_.set_row(y, first.at(column, row + y), second.at(column, row + y));
          spectrum_.correlate();
          Counts counts[2];
          for (const Lag& lag : table_.lags) {
            const auto [a, b] = spectrum_.counts(lag.dx, lag.dy);
            counts[0].push_back(a);
            counts[1].push_back(b);
          }
          put(strip, phase, column, row, counts[0], values);
          if (phase < problem_.count) put(strip, phase + 1, column, row, counts[1], values);
        }
      }
    }
  }

 private:
  CorrelationBySpectrum spectrum_;
};

/// Returns a walker that borrows its arguments.
std::unique_ptr<StripWalker> window_walker(TpcfAlgorithm algorithm, const TpcfProblem& problem,
                                           const LagTable& table, const Context& context) {
  switch (algorithm) {
    case TpcfAlgorithm::Naive:
      return std::make_unique<NaiveWalker>(problem, table, context);
    case TpcfAlgorithm::Update:
      return std::make_unique<UpdateWalker>(problem, table, context);
    case TpcfAlgorithm::Fft:
      break;
  }
  return std::make_unique<FftWalker>(problem, table, context);
}

}  // namespace
}  // namespace texture

std::string name_of(TpcfAlgorithm algorithm) {
  switch (algorithm) {
    case TpcfAlgorithm::Naive:
      return "naive";
    case TpcfAlgorithm::Update:
      return "update";
    case TpcfAlgorithm::Fft:
      break;
  }
  return "fft";
}

void tpcf_by(TpcfAlgorithm algorithm, const TpcfProblem& problem, const FeatureSink& sink,
             Context& context) {
  check(problem);
  const LagTable table = lag_table(problem.window, problem.directions);
  constexpr std::int64_t kLead = 0;
  texture::walk_strips(problem, sink, context, kLead, [&](const texture::Rectangle& /*first*/) {
    return texture::window_walker(algorithm, problem, table, context);
  });
}

}  // namespace seedwave
