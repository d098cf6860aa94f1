// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/base/scratch_files.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance/kernel.h"
#include "core/morphology/distance/line.h"
#include "core/morphology/distance/part_solver.h"
#include "core/morphology/distance/passes.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

using namespace distance;

/// Writes squares in the requested form.
struct Writer {
  const Kernel& kernel;
  DistanceForm form;
  double unit;
  float* reals;
  std::int32_t* wholes;

  void write(const std::uint16_t* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::Length) return kernel.roots.of_u16(squares, count, unit, reals + at);
    write_squares(squares, count, at);
  }
  void write(const std::int32_t* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::Length) return kernel.roots.of_i32(squares, count, unit, reals + at);
    write_squares(squares, count, at);
  }
  void write(const double* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::Length) return kernel.roots.of_f64(squares, count, unit, reals + at);
    write_squares(squares, count, at);
  }
  /// Writes the columns of a strip in whole blocks with `width` valid cells. `at` and `slice`
  /// locate their answers.
  template <typename Square>
  void write_strip(const Square* squares, std::int64_t rows, std::int64_t width, std::int64_t at,
                   std::int64_t slice) const {
    constexpr std::int64_t kWidth = kBlock<Square>;
    if constexpr (std::is_same_v<Square, std::uint16_t>) {
      if (form == DistanceForm::Length && width == kWidth)
        return kernel.roots.of_u16_strip(squares, rows, unit, reals + at, slice);
    }
    for (std::int64_t row = 0; row < rows; ++row)
      write(squares + row * kWidth, width, at + row * slice);
  }
  [[nodiscard]] Answer answer() const { return {.reals = reals, .wholes = wholes}; }
  [[nodiscard]] static std::size_t bytes_of_label() { return 0; }
  /// Touches the page of that voxel's answer. Otherwise the pass along z of a volume would touch
  /// all pages with its first strip, and could not be stopped meanwhile.
  void touch(std::int64_t at) const {
    if (reals != nullptr) reals[at] = 0.0F;
    if (wholes != nullptr) wholes[at] = 0;
  }
  void write_zeros(std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::SquareInVoxels) {
      std::fill_n(wholes + at, count, 0);
    } else {
      std::fill_n(reals + at, count, 0.0F);
    }
  }

 private:
  template <typename Square>
  void write_squares(const Square* squares, std::int64_t count, std::int64_t at) const {
    if (form == DistanceForm::SquareInVoxels) {
      for (std::int64_t i = 0; i < count; ++i)
        wholes[at + i] = squares[i] < kUnknown<Square> ? static_cast<std::int32_t>(squares[i]) : -1;
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const auto square = static_cast<float>(unit * unit * static_cast<double>(squares[i]));
      reals[at + i] = squares[i] < kUnknown<Square> ? square : __builtin_huge_valf();
    }
  }
};

/// Writes squares with names, as squares and names.
struct NamedWriter {
  const Writer* squares;  // null: not requested
  std::int32_t* nearest;  // null: not requested
  void* labels;           // of a type of label_bytes; null: not requested
  std::size_t label_bytes = 0;

  void write(const std::int64_t* cells, std::int64_t count, std::int64_t at) const {
    constexpr std::int64_t kPiece = 1024;
    std::array<std::int32_t, kPiece> piece;
    for (std::int64_t begin = 0; squares != nullptr && begin < count; begin += kPiece) {
      const std::int64_t length = std::min(kPiece, count - begin);
      for (std::int64_t i = 0; i < length; ++i)
        piece[i] = static_cast<std::int32_t>(cells[begin + i] >> kNameBits);
      squares->write(piece.data(), length, at + begin);
    }
    write_names(cells, count, at);
  }
  void write_strip(const std::int64_t* cells, std::int64_t rows, std::int64_t width,
                   std::int64_t at, std::int64_t slice) const {
    constexpr std::int64_t kWidth = kBlock<std::int64_t>;
    for (std::int64_t row = 0; row < rows; ++row)
      write_names(cells + row * kWidth, width, at + row * slice);
    if (squares == nullptr) return;
    // Computes all roots at once and then copies them, because rows of eight are too short for
    // both.
    std::vector<std::int32_t> wholes(static_cast<std::size_t>(rows * kWidth));
    for (std::size_t i = 0; i < wholes.size(); ++i)
      wholes[i] = static_cast<std::int32_t>(cells[i] >> kNameBits);
    std::vector<float> reals(wholes.size());
    Writer together = *squares;
    if (together.reals != nullptr) together.reals = reals.data();
    if (together.wholes != nullptr) together.wholes = wholes.data();
    together.write(wholes.data(), rows * kWidth, 0);
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t to = at + row * slice;
      if (squares->reals != nullptr) std::copy_n(&reals[row * kWidth], width, squares->reals + to);
      if (squares->wholes != nullptr) {
        std::copy_n(&wholes[row * kWidth], width, squares->wholes + to);
      }
    }
  }
  [[nodiscard]] Answer answer() const {
    Answer all = squares != nullptr ? squares->answer() : Answer{};
    all.nearest = nearest;
    all.labels = labels;
    return all;
  }
  [[nodiscard]] std::size_t bytes_of_label() const { return label_bytes; }
  void touch(std::int64_t at) const {
    if (squares != nullptr) squares->touch(at);
    if (nearest != nullptr) nearest[at] = 0;
  }
  void write_zeros(std::int64_t /*count*/, std::int64_t /*at*/) const {}  // zeros have names

 private:
  template <typename T>
  static void write_labels(const std::int64_t* cells, std::int64_t count, T* to) {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = is_known(cells[i]) ? static_cast<T>(cells[i]) : T{0};
  }
  void write_names(const std::int64_t* cells, std::int64_t count, std::int64_t at) const {
    for (std::int64_t i = 0; nearest != nullptr && i < count; ++i)
      nearest[at + i] = is_known(cells[i]) ? static_cast<std::int32_t>(cells[i]) : -1;
    if (labels == nullptr) return;
    if (label_bytes == 1)
      return write_labels(cells, count, static_cast<std::uint8_t*>(labels) + at);
    if (label_bytes == 2)
      return write_labels(cells, count, static_cast<std::uint16_t*>(labels) + at);
    write_labels(cells, count, static_cast<std::uint32_t*>(labels) + at);
  }
  [[nodiscard]] static bool is_known(std::int64_t cell) { return cell < kUnknown<std::int64_t>; }
};

constexpr std::int64_t kRowsPerCheck = 16;
/// Bytes of an answer in a file that are computed before they go into its digest.
constexpr std::int64_t kFinishedAtOnce = std::int64_t{1} << 28;

/// Those who solve parts: CPU threads by a kernel and, if not null, workers on devices.
struct Solvers {
  const Kernel& kernel;
  PartSolver* devices = nullptr;
};

template <typename Cell>
constexpr Planes::Cell kPlaneCell = std::is_same_v<Cell, double>         ? Planes::Cell::Weighted
                                    : std::is_same_v<Cell, std::int64_t> ? Planes::Cell::Named
                                                                         : Planes::Cell::Whole;

/// Returns the rows, numbered through all slices, whose passes along y and x are this process's: a
/// part of an image's rows, or all rows of a part of a volume's slices.
LayerRange own_rows(const Context& context, const Index3& size) {
  if (size[2] == 1) return own_items(context, size[1]);
  const LayerRange slices = own_items(context, size[2]);
  return {slices.begin * size[1], slices.end * size[1]};
}

/// One run. Cell is the type on which near() works in rows. AnyWriter is Writer, or NamedWriter for
/// i64. With several processes each writes its own rows of every slice; its workers take parts of
/// them, threads band by band or strip by strip, and devices in pieces.
template <typename Cell, typename AnyWriter>
class MinPlus {
  using Step = StepOf<Cell>;

 public:
  MinPlus(const Volume& objects, const DistanceScale& scale, const SourceNames& names,
          const Solvers& solvers, const AnyWriter& writer, Context& context)
      : size_(objects.geometry().size),
        weights_(scale.weights),
        names_(names),
        kernel_(solvers.kernel),
        devices_(solvers.devices),
        writer_(writer),
        context_(context),
        rows_(own_rows(context, size_)),
        columns_(objects.voxels<std::uint8_t>().data(), size_, kernel_, context),
        x_squares_(weights_[0], size_[0]) {}

  /// Processes only rows.
  void run_image() {
    for_bands(writer_.answer(),
              [&](RowPass<Cell>& pass, std::int64_t row, const Step* down, const Step* up) {
                pass.solve(
                    row, down, up,
                    [&](const auto* squares, std::int64_t count, std::int64_t x) {
                      writer_.write(squares, count, row * size_[0] + x);
                    },
                    [&] { writer_.write_zeros(size_[0], row * size_[0]); });
              });
  }

  /// Processes rows, then their output along z. Plane is the type of the intermediate cells, in
  /// `rows` with `row_bytes` per row. That may be the answer's own memory. Returns false if some
  /// squares do not fit; then the output is invalid.
  template <typename Plane>
  [[nodiscard]] bool run_volume(std::byte* rows, std::int64_t row_bytes) {
    const auto solve_row = [&](RowPass<Cell>& pass, std::int64_t row, const Step* down,
                               const Step* up) {
      writer_.touch(row * size_[0]);
      std::byte* to = rows + row * row_bytes;
      pass.solve(
          row, down, up,
          [&](const auto* squares, std::int64_t count, std::int64_t x) {
            keep<Plane>(squares, count, to + x * static_cast<std::int64_t>(sizeof(Plane)));
          },
          [&] { std::memset(to, 0, static_cast<std::size_t>(size_[0]) * sizeof(Plane)); });
    };
    for_bands(Planes{kPlaneCell<Plane>, rows}, solve_row);
    const auto bytes = static_cast<std::size_t>(size_[1] * size_[2] * row_bytes);
    share_items(context_, std::span(rows, bytes), size_[2]);
    return fits_everywhere(pass_z<Plane>(rows, row_bytes));
  }

 private:
  template <typename Plane, typename Square>
  static void keep(const Square* squares, std::int64_t count, std::byte* to) {
    if constexpr (std::is_same_v<Plane, Square>) {
      std::memcpy(to, squares, static_cast<std::size_t>(count) * sizeof(Plane));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        const auto most = static_cast<std::int32_t>(kUnknown<Plane>);
        const auto square = static_cast<Plane>(std::min<std::int32_t>(squares[i], most));
        std::memcpy(to + i * static_cast<std::int64_t>(sizeof(Plane)), &square, sizeof(Plane));
      }
    }
  }

  [[nodiscard]] static double fraction(std::int64_t done, std::int64_t of) {
    return static_cast<double>(done) / static_cast<double>(of);
  }
  /// Calls body(worker) for items of a part that a device takes at once.
  template <typename Body>
  static void by_device(const LayerRange& items, const LayerRange& part, Context& own,
                        Body&& body) {
    const auto at = [&](std::int64_t item) { return fraction(item - part.begin, part.layers()); };
    run_part(own, at(items.begin), at(items.end), [&](Context& worker) {
      worker.checkpoint(0.0);
      body(worker);
    });
  }

  /// Calls body(pass, row, down, up) for this process's rows, or lets devices write them to `to`.
  template <typename To, typename Body>
  void for_bands(const To& to, Body&& body) {
    const auto solve_by_threads = [&](const LayerRange& part, Context& own) {
      std::atomic<std::int64_t> done = 0;
      work_off(part, own, [&](Context& worker) {
        return [&, steps = large_array<Step>(columns_.band_cells()),
                pass = RowPass<Cell>(kernel_, size_[0], x_squares_, weights_[1], names_)](
                   std::int64_t band) mutable {
          columns_.for_rows(
              band, steps.get(), [&](const Step* down, const Step* up) { pass.know(down, up); },
              [&](std::int64_t row, const Step* down, const Step* up) {
                if (row % kRowsPerCheck == 0) worker.checkpoint(fraction(done, part.layers()));
                if (rows_.holds(row)) body(pass, row, down, up);
              });
          ++done;
        };
      });
    };
    const auto solve = [&](const LayerRange& part, Context& own) {
      if (!is_on_device(own)) return solve_by_threads(part, own);
      columns_.for_pieces(
          part, devices_->most_rows(), [&](RowsPiece piece, const LayerRange& bands) {
            name_sides(piece);
            piece.wanted = {std::max(piece.wanted.begin, rows_.begin),
                            std::min(piece.wanted.end, rows_.end)};
            by_device(bands, part, own,
                      [&](Context& worker) { devices_->solve_rows(piece, to, worker); });
          });
    };
    WorkItems bands = columns_.bands_in(columns_.bands_of(rows_));
    const bool in_order = size_[2] == 1 && context_.in_files() && !context_.is_shared();
    if (in_order) {
      const std::int64_t band_bytes = 4 * columns_.row_count(0) * size_[0];
      bands.most = std::max<std::int64_t>(context_.threads(), kFinishedAtOnce / band_bytes);
    }
    const auto solve_and_finish = [&](const LayerRange& part, Context& own) {
      solve(part, own);
      if (in_order) finish(columns_.rows_of(part));
    };
    // A volume's rows are the first half of the work, the pass along z the second.
    run_part(context_, 0.0, size_[2] == 1 ? 1.0 : 0.5,
             [&](Context& pass) { for_each_part(bands, solve_and_finish, pass); });
  }

  /// The answer of these rows of an image is final.
  void finish(const LayerRange& rows) const {
    const Answer answer = writer_.answer();
    const auto finish_array = [&](const void* array, std::size_t cell) {
      if (array == nullptr) return;
      const std::size_t row = static_cast<std::size_t>(size_[0]) * cell;
      scratch::finish(array, static_cast<std::size_t>(rows.begin) * row,
                      static_cast<std::size_t>(rows.end) * row);
    };
    finish_array(answer.reals, sizeof(float));
    finish_array(answer.wholes, sizeof(std::int32_t));
    finish_array(answer.nearest, sizeof(std::int32_t));
    finish_array(answer.labels, writer_.bytes_of_label());
  }

  [[nodiscard]] bool is_on_device(const Context& own) const {
    return devices_ != nullptr && !own.on_cpu();
  }
  void name_sides(RowsPiece& piece) const {
    if (!std::is_same_v<Cell, std::int64_t>) return;
    const auto names_of = [&](const std::vector<std::int32_t>& rows) {
      std::vector<std::uint32_t> names(rows.size());
      for (std::size_t x = 0; x < rows.size(); ++x) {
        if (std::abs(rows[x]) == kNoRow) continue;
        names[x] = static_cast<std::uint32_t>(
            names_.name(piece.first + rows[x], static_cast<std::int64_t>(x), 0, 0));
      }
      return names;
    };
    piece.names_above = names_of(piece.above);
    piece.names_below = names_of(piece.below);
  }

  template <typename Plane>
  bool pass_z(std::byte* first, std::int64_t row_bytes) {
    const StepSquares<Plane> squares(weights_[2], size_[2]);
    const LayerRange rows_of_slice = own_items(context_, size_[1]);
    std::atomic<bool> fits = true;
    const auto solve_by_threads = [&](const LayerRange& part, Context& own) {
      std::atomic<std::int64_t> done = 0;
      work_off(part, own, [&](Context& worker) {
        auto strips = std::make_unique<StripPass<Plane>>(kernel_, squares, size_,
                                                         PlaneRows{first, row_bytes});
        return [&, strips = std::move(strips)](std::int64_t y) {
          if (!fits) return;
          const bool solved = strips->solve(
              y, [&] { worker.checkpoint(fraction(done, part.layers())); },
              [&](const Plane* least, std::int64_t width, std::int64_t x) {
                writer_.write_strip(least, size_[2], width, y * size_[0] + x, size_[0] * size_[1]);
              });
          if (!solved) fits = false;
          ++done;
        };
      });
    };
    const auto solve = [&](const LayerRange& part, Context& own) {
      if (!is_on_device(own)) return solve_by_threads(part, own);
      const std::int64_t most = std::max<std::int64_t>(1, devices_->most_rows_along_z());
      for (std::int64_t y = part.begin; y < part.end; y += most) {
        const LayerRange rows{y, std::min(y + most, part.end)};
        by_device(rows, part, own, [&](Context& worker) {
          devices_->solve_along_z(rows, {kPlaneCell<Plane>, first}, writer_.answer(), worker);
        });
      }
    };
    run_part(context_, 0.5, 1.0, [&](Context& pass) {
      for_each_part({.own = rows_of_slice, .cells_each = size_[0] * size_[2]}, solve, pass);
    });
    return fits;
  }

  /// Returns whether all squares of all processes fit. Collective.
  [[nodiscard]] bool fits_everywhere(bool fits_here) {
    Ranks* const ranks = context_.ranks();
    return ranks == nullptr ? fits_here : ranks->all_sum(fits_here ? 0 : 1) == 0;
  }

  Index3 size_;
  Vec3 weights_;
  SourceNames names_;
  const Kernel& kernel_;
  PartSolver* devices_;
  const AnyWriter& writer_;
  Context& context_;
  LayerRange rows_;
  Columns<Step> columns_;
  StepSquares<Cell> x_squares_;
};

/// Returns whether squares are integers below 2^30, so the sum of two fits into i32, and steps into
/// 16 bits.
bool is_whole(const Geometry& geometry, const DistanceScale& scale) {
  constexpr double kMost = 1 << 30;
  double diagonal = 0.0;
  for (const std::int64_t n : geometry.size)
    diagonal += static_cast<double>(n) * static_cast<double>(n);
  return scale.weights == voxel_scale().weights && diagonal < kMost;
}

/// Solves on cells that hold any square of the problem.
template <typename Cell, typename AnyWriter>
void solve_wide(const Volume& objects, const DistanceScale& scale, const SourceNames& names,
                const Solvers& solvers, const AnyWriter& writer, Context& context) {
  const Geometry& geometry = objects.geometry();
  MinPlus<Cell, AnyWriter> run(objects, scale, names, solvers, writer, context);
  if (geometry.is_2d()) return run.run_image();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  const auto planes = large_array<Cell>(context, count);
  static_cast<void>(
      run.template run_volume<Cell>(reinterpret_cast<std::byte*>(planes.get()),
                                    geometry.size[0] * static_cast<std::int64_t>(sizeof(Cell))));
}

/// Returns whether a device solves parts, here or in another process. Collective.
bool any_on_device(const Solvers& solvers, Context& context) {
  const bool here = solvers.devices != nullptr;
  Ranks* const ranks = context.ranks();
  return ranks == nullptr ? here : ranks->all_sum(here ? 1 : 0) > 0;
}

/// Solves in 16 bits if the squares fit. Between devices and threads, of any process, they have 32.
void solve_whole(const DistanceProblem& problem, const Solvers& solvers, const Writer& writer,
                 Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  MinPlus<std::uint16_t, Writer> run(problem.objects, problem.scale, {}, solvers, writer, context);
  if (geometry.is_2d()) return run.run_image();
  // Both forms of the answer have four bytes per voxel, enough for the intermediate squares. A part
  // that another worker begins anew reads its squares again, so that they must lie elsewhere.
  LargeArray<std::int32_t> apart;
  if (context.sharers() > 1)
    apart = large_array<std::int32_t>(context, static_cast<std::size_t>(geometry.voxel_count()));
  auto* const answer = writer.reals != nullptr ? reinterpret_cast<std::byte*>(writer.reals)
                                               : reinterpret_cast<std::byte*>(writer.wholes);
  auto* const rows = apart == nullptr ? answer : reinterpret_cast<std::byte*>(apart.get());
  const std::int64_t row_bytes = geometry.size[0] * 4;
  if (any_on_device(solvers, context) || !run.run_volume<std::uint16_t>(rows, row_bytes)) {
    static_cast<void>(run.run_volume<std::int32_t>(rows, row_bytes));
  }
}

void solve(const DistanceProblem& problem, const Solvers& solvers, const Writer& writer,
           std::int32_t* nearest, Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  if (nearest != nullptr) {
    solve_wide<std::int64_t>(problem.objects, problem.scale, {.columns = geometry.size[0]}, solvers,
                             NamedWriter{&writer, nearest, nullptr}, context);
  } else if (is_whole(geometry, problem.scale)) {
    solve_whole(problem, solvers, writer, context);
  } else {
    solve_wide<double>(problem.objects, problem.scale, {}, solvers, writer, context);
  }
}

DistanceMap distances_by(const Solvers& solvers, const DistanceProblem& problem, Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  const bool find = problem.nearest == NearestCells::Find;
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  DistanceMap map;
  LargeArray<std::int32_t> nearest;
  if (find) nearest = large_array<std::int32_t>(context, count);
  if (problem.form == DistanceForm::SquareInVoxels) {
    auto wholes = large_array<std::int32_t>(context, count);
    solve(problem, solvers,
          {solvers.kernel, problem.form, problem.scale.unit, nullptr, wholes.get()}, nearest.get(),
          context);
    collect_rows(context, wholes.get(), geometry.size);
    map.distance = Volume(geometry, std::move(wholes));
  } else {
    auto reals = large_array<float>(context, count);
    solve(problem, solvers,
          {solvers.kernel, problem.form, problem.scale.unit, reals.get(), nullptr}, nearest.get(),
          context);
    collect_rows(context, reals.get(), geometry.size);
    map.distance = Volume(geometry, std::move(reals));
  }
  if (find) {
    collect_rows(context, nearest.get(), geometry.size);
    map.nearest = Volume(geometry, std::move(nearest));
  }
  return map;
}

LabelMap zones_by(const Solvers& solvers, const InfluenceZonesProblem& problem, Context& context) {
  const Geometry& geometry = problem.labels.geometry();
  return visit_labels(problem.labels.labels(), [&]<typename T>(std::span<const T> labels) {
    auto objects = tabulate<std::uint8_t>(std::ssize(labels), context,
                                          [&](std::int64_t i) { return labels[i] == 0; });
    std::vector<T> zones(labels.size());
    solve_wide<std::int64_t>(Volume(geometry, std::move(objects)), problem.scale,
                             {geometry.size[0], problem.labels.labels()}, solvers,
                             NamedWriter{nullptr, nullptr, zones.data(), sizeof(T)}, context);
    collect_rows(context, zones.data(), geometry.size);
    return LabelMap(geometry, std::move(zones));
  });
}

}  // namespace

std::int64_t distance::least_rows_of_piece(const Index3& size) {
  return rows_of_band(size);
}

bool is_divided_by_min_plus(const Geometry& geometry, const DistanceScale& scale,
                            NearestCells nearest) {
  return nearest == NearestCells::Skip || is_whole(geometry, scale);
}

DistanceMap distance_by_min_plus(const DistanceProblem& problem, const distance::Kernel& kernel,
                                 Context& context) {
  if (!is_divided_by_min_plus(problem.objects.geometry(), problem.scale, problem.nearest))
    return distance_by_envelope(problem, context);
  const auto stage = context.stage("distance");
  return distances_by({kernel}, problem, context);
}

DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context) {
  return distance_by_min_plus(problem, distance::best_kernel(), context);
}

DistanceMap distance_by_min_plus(const DistanceProblem& problem, distance::PartSolver& devices,
                                 Context& context) {
  return distances_by({distance::best_kernel(), &devices}, problem, context);
}

LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                     const distance::Kernel& kernel, Context& context) {
  if (!is_divided_by_min_plus(problem.labels.geometry(), problem.scale, NearestCells::Find))
    return influence_zones_by_envelope(problem, context);
  const auto stage = context.stage("zones");
  return zones_by({kernel}, problem, context);
}

LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem, Context& context) {
  return influence_zones_by_min_plus(problem, distance::best_kernel(), context);
}

LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                     distance::PartSolver& devices, Context& context) {
  return zones_by({distance::best_kernel(), &devices}, problem, context);
}

}  // namespace seedwave
