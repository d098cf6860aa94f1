// SPDX-License-Identifier: Apache-2.0
#include "core/texture/by_window.h"

#include "core/base/error.h"
#include "core/texture/kernel.h"
#include "core/texture/spectrum.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>

namespace seedwave::texture {
namespace {

/// How many pairs of cells of one phase a window has, one number a lag of the table.
using Counts = std::vector<std::int32_t>;

/// Sums of one phase, one a radius.
std::vector<std::int64_t> weighed(const LagTable& table, const Counts& counts) {
  std::vector<std::int64_t> sums(static_cast<std::size_t>(radius_count(table.window)));
  for (std::size_t i = 0; i < table.lags.size(); ++i) {
    for (const LagWeight& weight : table.weights_of(table.lags[i]))
      sums[static_cast<std::size_t>(weight.radius)] += weight.weight * counts[i];
  }
  return sums;
}

/// Which cells of a rectangle of the picture belong to a phase, 0 or 1, in rows or in columns one
/// after the other.
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

/// How many of `count` places both have; below 256 of them, or one more.
std::int32_t common(const std::uint8_t* a, const std::uint8_t* b, std::int64_t count) {
  std::uint16_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
    sum = static_cast<std::uint16_t>(sum + (a[i] & b[i]));
  return sum;
}

/// Phase by phase, row by row of windows.
class WindowWalker : public StripWalker {
 public:
  WindowWalker(const TpcfProblem& problem, const LagTable& table, const Context& context)
      : problem_(problem), table_(table), context_(context) {}

 protected:
  /// The cells of all windows of a strip.
  [[nodiscard]] Rectangle cells_of(const Rectangle& strip) const {
    return {strip.x, strip.y, strip.columns + problem_.window - 1,
            strip.rows + problem_.window - 1};
  }
  void put(const Rectangle& strip, std::int64_t phase, std::int64_t column, std::int64_t row,
           const Counts& counts, float* values) const {
    const std::vector<std::int64_t> sums = weighed(table_, counts);
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

  void fill(const Rectangle& strip, float* values) override {
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
  /// Pairs at a lag of the window at (x, y).
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

/// From the left to the right: what a column adds to a window are its pairs with the cells beside
/// it and within it (the paper, equations 8 and 9), at the lags that are needed.
class UpdateWalker : public WindowWalker {
 public:
  using WindowWalker::WindowWalker;

  void fill(const Rectangle& strip, float* values) override {
    const std::int64_t window = table_.window;
    for (std::int64_t phase = 1; phase <= problem_.count; ++phase) {
      const Mask mask(problem_, phase, cells_of(strip), Mask::Order::Columns);
      for (std::int64_t row = 0; row < strip.rows; ++row) {
        Counts counts(table_.lags.size());
        // The first window: column by column from nothing.
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
  /// Column x comes in on the right of a window that then has so many columns.
  void enter(const Mask& mask, std::int64_t x, std::int64_t y, std::int64_t columns,
             Counts& counts) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Lag& lag = table_.lags[i];
      if (std::abs(lag.dx) < columns) counts[i] += pairs(mask, x - std::max(0, lag.dx), y, lag);
    }
  }
  /// Column x goes out on the left of a whole window.
  void leave(const Mask& mask, std::int64_t x, std::int64_t y, Counts& counts) const {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Lag& lag = table_.lags[i];
      counts[i] -= pairs(mask, x + std::max(0, -lag.dx), y, lag);
    }
  }
  /// Pairs whose first cell is in column x.
  [[nodiscard]] std::int32_t pairs(const Mask& mask, std::int64_t x, std::int64_t y,
                                   const Lag& lag) const {
    return common(mask.at(x, y), mask.at(x + lag.dx, y + lag.dy), table_.window - lag.dy);
  }
};

class FftWalker : public WindowWalker {
 public:
  FftWalker(const TpcfProblem& problem, const LagTable& table, const Context& context)
      : WindowWalker(problem, table, context), spectrum_(table.window) {}

  void fill(const Rectangle& strip, float* values) override {
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

/// The cells of a window as bits, row by row of words, and the same shifted to the left.
class ShiftedBits {
 public:
  ShiftedBits(const TpcfProblem& problem, std::int64_t phase, std::int64_t x, std::int64_t y)
      : words_((problem.window + 63) / 64), rows_(problem.window) {
    const std::int64_t shifts = radius_count(problem.window);
    bits_.resize(static_cast<std::size_t>(shifts * rows_ * words_));
    const std::int64_t width = problem.phases.geometry().size[0];
    for (std::int64_t row = 0; row < rows_; ++row) {
      const auto* labels =
          &problem.phases.labels()[static_cast<std::size_t>(x + (y + row) * width)];
      std::uint64_t* words = &bits_[static_cast<std::size_t>(row * words_)];
      for (std::int64_t i = 0; i < problem.window; ++i)
        words[i / 64] |= std::uint64_t{labels[i] == phase} << (i % 64);
    }
    const std::size_t all = static_cast<std::size_t>(rows_ * words_);
    for (std::size_t i = all; i < bits_.size(); ++i) {
      // The bit that comes in from the next word, if that is of the same row.
      const bool is_last = (i + 1) % static_cast<std::size_t>(words_) == 0;
      bits_[i] = bits_[i - all] >> 1 | (is_last ? 0 : bits_[i - all + 1] << 63);
    }
  }
  /// Rows from `row` on, cells from `shift` on.
  [[nodiscard]] const std::uint64_t* rows(std::int64_t row, std::int64_t shift) const {
    return &bits_[static_cast<std::size_t>((shift * rows_ + row) * words_)];
  }
  [[nodiscard]] std::int64_t words(std::int64_t rows) const { return rows * words_; }

 private:
  std::int64_t words_;  // a row
  std::int64_t rows_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

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

std::vector<float> features_of_window(const TpcfProblem& problem, const LagTable& table,
                                      std::int64_t x, std::int64_t y) {
  const auto common_bits = best_kernel().common_bits;
  std::vector<float> features;
  for (std::int64_t phase = 1; phase <= problem.count; ++phase) {
    const ShiftedBits bits(problem, phase, x, y);
    Counts counts;
    for (const Lag& lag : table.lags) {
      counts.push_back(common_bits(bits.rows(0, std::max(0, -lag.dx)),
                                   bits.rows(lag.dy, std::max(0, lag.dx)),
                                   bits.words(table.window - lag.dy)));
    }
    for (const std::int64_t sum : weighed(table, counts))
      features.push_back(feature_of(sum));
  }
  return features;
}

}  // namespace seedwave::texture
