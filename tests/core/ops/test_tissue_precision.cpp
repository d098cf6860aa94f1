// SPDX-License-Identifier: Apache-2.0
// Tests whether features in single precision change a pixel of the regions (Cooper et al. 2012,
// Figure 6). Compares regions of skin from three kinds of features: those of the product, rounded
// once to f32; those summed in f32; and unrounded ones.
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/parallel/parallel_for.h"
#include "core/texture/majority.h"
#include "core/texture/phases.h"
#include "core/texture/tissue.h"
#include "tests/support/test_data.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <vector>

using namespace seedwave;

namespace {

/// Features in f64: sums of integers times a power of two, none of them rounded.
struct Unrounded {
  using Number = double;
  static Number share(std::int32_t pairs, std::int64_t /*all*/) { return pairs; }
  static Number weight(std::int64_t weight, std::int64_t /*all*/) {
    return static_cast<double>(weight) * 0x1p-40;
  }
};

/// Features as in the paper: the share of pairs, its part in a radius, and the sum, each in f32.
struct Single {
  using Number = float;
  static Number share(std::int32_t pairs, std::int64_t all) {
    return static_cast<float>(pairs) / static_cast<float>(all);
  }
  static Number weight(std::int64_t weight, std::int64_t all) {
    return static_cast<float>(static_cast<double>(weight * all) * 0x1p-40);
  }
};

/// Computes the features of one row of windows after the other, independently of the product: the
/// number of pairs at a lag that begin in a column of the row, then summed along the row.
template <typename Kind>
class Rows {
 public:
  using Number = typename Kind::Number;

  /// Starts at row `next`.
  Rows(const TpcfProblem& problem, const LagTable& table, std::int64_t next)
      : problem_(problem),
        table_(table),
        width_(problem.phases.geometry().size[0]),
        columns_(width_ - problem.window + 1),
        next_(next),
        starts_(static_cast<std::size_t>(problem.count * std::ssize(table.lags) * width_)) {
    for (std::int64_t y = 0; y < problem.window; ++y)
      each_lag([&](std::int64_t phase, const Lag& lag, std::int32_t* starts) {
        if (y < problem.window - lag.dy) add_row(phase, lag, next + y, 1, starts);
      });
  }

  /// Adds the features of the next row: sums[plane * columns + x].
  void add_next_to(Number* sums) {
    each_lag([&](std::int64_t phase, const Lag& lag, std::int32_t* starts) {
      add_features(phase, lag, starts, sums);
      const std::int64_t enters = next_ + problem_.window - lag.dy;
      if (enters + lag.dy >= problem_.phases.geometry().size[1]) return;
      add_row(phase, lag, enters, 1, starts);
      add_row(phase, lag, next_, -1, starts);
    });
    ++next_;
  }

 private:
  template <typename Body>
  void each_lag(Body&& body) {
    std::int32_t* starts = starts_.data();
    for (std::int64_t phase = 1; phase <= problem_.count; ++phase) {
      for (const Lag& lag : table_.lags) {
        body(phase, lag, starts);
        starts += width_;
      }
    }
  }

  /// Adds (sign 1) or subtracts (sign -1) pairs whose first pixel is in row y to or from their
  /// column.
  void add_row(std::int64_t phase, const Lag& lag, std::int64_t y, std::int32_t sign,
               std::int32_t* starts) const {
    const std::uint16_t* const here =
        problem_.phases.labels().as<std::uint16_t>().data() + y * width_;
    const std::uint16_t* const there = here + lag.dy * width_ + lag.dx;
    const std::int64_t last = width_ - std::max(0, lag.dx);
    for (std::int64_t x = std::max(0, -lag.dx); x < last; ++x) {
      const bool is_pair = here[x] == phase && there[x] == phase;
      starts[x] += is_pair ? sign : 0;
    }
  }

  void add_features(std::int64_t phase, const Lag& lag, const std::int32_t* starts,
                    Number* sums) const {
    const std::int64_t across = problem_.window - std::abs(lag.dx);
    const std::int64_t all = across * (problem_.window - lag.dy);
    std::vector<Number> shares(static_cast<std::size_t>(columns_));
    starts += std::max(0, -lag.dx);
    std::int32_t pairs = std::accumulate(starts, starts + across, 0);
    for (std::int64_t x = 0; x < columns_; ++x) {
      shares[x] = Kind::share(pairs, all);
      if (x + 1 < columns_) pairs += starts[x + across] - starts[x];
    }
    for (const LagWeight& each : table_.weights_of(lag)) {
      const Number weight = Kind::weight(each.weight, all);
      const std::int64_t plane = (phase - 1) * radius_count(problem_.window) + each.radius;
      for (std::int64_t x = 0; x < columns_; ++x)
        sums[plane * columns_ + x] += weight * shares[x];
    }
  }

  const TpcfProblem& problem_;
  const LagTable& table_;
  std::int64_t width_;
  std::int64_t columns_;
  std::int64_t next_;
  std::vector<std::int32_t> starts_;  // for each phase and lag, one per column
};

/// Features of every window: values[(row * planes + plane) * columns + column].
template <typename Number>
struct AllFeatures {
  explicit AllFeatures(const TpcfProblem& problem)
      : columns(problem.phases.geometry().size[0] - problem.window + 1),
        rows(problem.phases.geometry().size[1] - problem.window + 1),
        planes(plane_count(problem)),
        values(static_cast<std::size_t>(rows * planes * columns)) {}
  [[nodiscard]] Number at(std::int64_t x, std::int64_t row, std::int64_t plane) const {
    return values[(row * planes + plane) * columns + x];
  }
  std::int64_t columns;
  std::int64_t rows;
  std::int64_t planes;
  std::vector<Number> values;
};

template <typename Kind>
AllFeatures<typename Kind::Number> all_features(const TpcfProblem& problem, Context& context) {
  constexpr std::int64_t kRowsTogether = 128;  // the start of each batch takes the time of a
                                               // window's rows
  const LagTable table = lag_table(problem.window, problem.directions);
  AllFeatures<typename Kind::Number> all(problem);
  const std::int64_t parts = (all.rows + kRowsTogether - 1) / kRowsTogether;
  parallel_for(context, parts, 1, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t last = std::min(all.rows, end * kRowsTogether);
    Rows<Kind> rows(problem, table, begin * kRowsTogether);
    for (std::int64_t row = begin * kRowsTogether; row < last; ++row)
      rows.add_next_to(&all.values[row * all.planes * all.columns]);
  });
  return all;
}

/// As documented at NearestClassSolver.
template <typename Number>
NearestClasses nearest(const AllFeatures<Number>& features, const FeatureClasses& classes,
                       Context& context) {
  const auto count = static_cast<std::size_t>(features.columns * features.rows);
  NearestClasses found{.columns = features.columns,
                       .rows = features.rows,
                       .classes = std::vector<std::uint16_t>(count),
                       .distances = std::vector<float>(count)};
  const std::vector<double> offsets = offsets_of(classes);
  parallel_for(context, features.rows, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      Points mapped = Points::zeros(classes.axes.count(), features.columns);
      for (std::int64_t k = 0; k < mapped.count(); ++k) {
        for (std::int64_t plane = 0; plane < features.planes; ++plane) {
          for (std::int64_t x = 0; x < features.columns; ++x)
            mapped.row(k)[x] += classes.axes.row(k)[plane] * features.at(x, row, plane);
        }
      }
      for (std::int64_t x = 0; x < features.columns; ++x) {
        std::vector<double> squares;
        for (std::int64_t c = 0; c < classes.centres.count(); ++c) {
          double sum = 0.0;
          for (std::int64_t k = 0; k < mapped.count(); ++k) {
            const double apart = (mapped.row(k)[x] - offsets[k]) - classes.centres.row(c)[k];
            sum += apart * apart;
          }
          squares.push_back(sum);
        }
        const auto least = std::min_element(squares.begin(), squares.end());
        const std::int64_t window = row * features.columns + x;
        found.classes[window] = static_cast<std::uint16_t>(least - squares.begin());
        found.distances[window] = static_cast<float>(std::sqrt(*least));
      }
    }
  });
  return found;
}

/// Both borrow the features.
template <typename Number>
TissueSolvers solvers_of(const AllFeatures<Number>& features) {
  return {.sample =
              [&](const TpcfProblem&, const std::vector<WindowPlace>& places, Context&) {
                Points sample = Points::zeros(std::ssize(places), features.planes);
                for (std::int64_t i = 0; i < sample.count(); ++i) {
                  for (std::int64_t plane = 0; plane < features.planes; ++plane)
                    sample.row(i)[plane] = features.at(places[i].x, places[i].y, plane);
                }
                return sample;
              },
          .nearest = [&](const TpcfProblem&, const FeatureClasses& classes,
                         Context& context) { return nearest(features, classes, context); }};
}

/// Returns the largest difference of the product's features from the unrounded ones; -1 if one of
/// them is not an unrounded one, rounded.
double product_difference(const TpcfProblem& problem, const AllFeatures<double>& unrounded,
                          Context& context) {
  double largest = 0.0;
  bool are_rounded = true;
  std::mutex mutex;
  const auto compare = [&](const FeatureStrip& strip) {
    const std::lock_guard lock(mutex);
    const float* value = strip.values;
    for (std::int64_t plane = 0; plane < strip.planes; ++plane) {
      for (std::int64_t row = strip.first_row; row < strip.first_row + strip.rows; ++row) {
        for (std::int64_t x = strip.first_column; x < strip.first_column + strip.columns; ++x) {
          const double exact = unrounded.at(x, row, plane);
          are_rounded &= *value == static_cast<float>(exact);
          largest = std::max(largest, std::abs(*value++ - exact));
        }
      }
    }
  };
  tpcf(problem, compare, context);
  return are_rounded ? largest : -1.0;
}

double largest_difference(const std::vector<float>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::int64_t differing(const LabelMap& a, const LabelMap& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.labels().size(); ++i)
    count += a.labels()[i] != b.labels()[i] ? 1 : 0;
  return count;
}

}  // namespace

class TestTissuePrecision : public QObject {
  Q_OBJECT
 private slots:
  void single_precision_changes_no_region_data();
  void single_precision_changes_no_region();
};

void TestTissuePrecision::single_precision_changes_no_region_data() {
  QTest::addColumn<int>("window");
  QTest::newRow("w = 32") << 32;
  QTest::newRow("w = 48") << 48;
}

void TestTissuePrecision::single_precision_changes_no_region() {
  QFETCH(int, window);
  const auto path = test::test_data("T2_skin_regions/image.jpg");
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const Volume image = io::load_path(path, "", context).volume;
  const Phases four = phases({.image = image, .count = 4}, context);
  TissueProblem problem{.windows = {.phases = four.labels, .count = four.count, .window = window},
                        .seeds = {},
                        .majority_radius = 0};
  const auto unrounded = all_features<Unrounded>(problem.windows, context);
  const auto single = all_features<Single>(problem.windows, context);
  const double rounded_once = product_difference(problem.windows, unrounded, context);
  QVERIFY(rounded_once >= 0.0);
  qInfo("w = %d, features, largest difference to f64: rounded once to f32 %.1e, summed in f32 %.1e",
        window, rounded_once, largest_difference(single.values, unrounded.values));
  for (const bool from_strokes : {false, true}) {
    if (from_strokes) {
      const Geometry& grid = image.geometry();
      problem.seeds =
          io::load_seeds(SEEDWAVE_STROKES "skin_strokes.json", grid).seeds.rasterise(grid).seeds;
    }
    // A cache of its own: data kept for the next run must not reach other solvers.
    const auto labels_by = [&](const TissueSolvers& solvers) {
      Context own;
      return tissue(problem, solvers, own).labels;
    };
    const LabelMap expected = labels_by(solvers_of(unrounded));
    const auto report = [&](const char* name, const LabelMap& labels) {
      constexpr std::int64_t kMajority = 8;  // the default of `tissue`
      const std::int64_t windows = differing(labels, expected);
      const std::int64_t pixels =
          differing(majority(labels, kMajority, context), majority(expected, kMajority, context));
      qInfo("w = %d, %s, %s: of %zu pixels %lld differ, after the majority %lld", window,
            from_strokes ? "from strokes" : "alone", name, labels.labels().size(),
            static_cast<long long>(windows), static_cast<long long>(pixels));
      return windows + pixels;
    };
    QCOMPARE(report("rounded once to f32", labels_by({})), 0);
    report("summed in f32", labels_by(solvers_of(single)));
  }
}

QTEST_GUILESS_MAIN(TestTissuePrecision)
#include "test_tissue_precision.moc"
