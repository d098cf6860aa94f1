// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace seedwave::texture {

/// A rectangle of windows.
struct Rectangle {
  std::int64_t x;
  std::int64_t y;
  std::int64_t columns;
  std::int64_t rows;
};

/// Divides a problem's windows into bands of columns, and these into strips from top to bottom. The
/// division depends only on the problem.
class StripGrid {
 public:
  explicit StripGrid(const TpcfProblem& problem);

  [[nodiscard]] std::int64_t bands() const { return (columns_ + band_ - 1) / band_; }
  [[nodiscard]] std::int64_t strips_a_band() const { return (rows_ + high_ - 1) / high_; }
  [[nodiscard]] Rectangle strip(std::int64_t band, std::int64_t number) const;
  /// Returns the number of values of the largest strip.
  [[nodiscard]] std::int64_t most_values() const { return band_ * high_ * planes_; }

 private:
  std::int64_t columns_;  // all windows
  std::int64_t rows_;
  std::int64_t planes_;
  std::int64_t band_;  // columns of a band
  std::int64_t high_;  // rows of a strip
};

/// Fills successive strips down a band.
class StripWalker {
 public:
  StripWalker() = default;
  StripWalker(const StripWalker&) = delete;
  StripWalker& operator=(const StripWalker&) = delete;
  virtual ~StripWalker() = default;

  /// Fills values as in a FeatureStrip, and sets those of `alike`, which are 0, that it knows.
  /// Throws Cancelled; checks for it at least every 20 ms.
  virtual void fill(const Rectangle& strip, float* values, std::uint8_t* alike) = 0;
};

/// Fills all strips and passes them to the sink. A walker gets the strips of one run, from its
/// first strip on. `lead` is the number of rows of windows that take as long as the start of a
/// walker.
void walk_strips(const TpcfProblem& problem, const FeatureSink& sink, Context& context,
                 std::int64_t lead,
                 const std::function<std::unique_ptr<StripWalker>(const Rectangle& first)>& start);

}  // namespace seedwave::texture
