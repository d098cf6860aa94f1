// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/parallel/ranks.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// The passes of min-plus by somebody else than the CPU: a worker on a device takes parts of the
/// same passes, and gives the same bits. It has the objects or labels of the whole grid on the
/// host; beyond a part it needs no more than these types hold.
namespace seedwave::distance {

/// A row so far away that no step from it is taken; represents no row. Columns are shorter than
/// half of it.
inline constexpr std::int32_t kNoRow = 1 << 20;

/// Complete rows for the passes along y and x: some rows of one slice, or all rows of some slices.
struct RowsPiece {
  /// The first row, numbered through all slices.
  std::int64_t first = 0;
  /// Rows of the piece in each of its slices.
  std::int64_t rows = 0;
  std::int64_t slices = 1;
  /// The rows whose results are wanted, among these.
  LayerRange wanted;
  /// For each column the row of the nearest background above and below the piece, counted from its
  /// first row; -kNoRow and kNoRow if there is none.
  std::vector<std::int32_t> above;
  std::vector<std::int32_t> below;
  /// The names of that background, if it has names. See SourceNames.
  std::vector<std::uint32_t> names_above;
  std::vector<std::uint32_t> names_below;
};

/// Returns the number of rows that a piece has at least, if it is not the last of its slice.
[[nodiscard]] std::int64_t least_rows_of_piece(const Index3& size);

/// The squares that the passes along y and x leave for that along z, of all rows, packed. At least
/// kUnknown of the type: no source.
struct Planes {
  enum class Cell {
    Whole,    // i32
    Named,    // i64: the square, and in the lower 32 bits the name
    Weighted  // f64
  };
  Cell cell = Cell::Whole;
  std::byte* first = nullptr;
};

/// The memory of the whole answer. Null: not requested.
struct Answer {
  float* reals = nullptr;
  std::int32_t* wholes = nullptr;
  std::int32_t* nearest = nullptr;
  void* labels = nullptr;
};

/// Several threads may call it at the same time, each with the context of another worker, which
/// names its device. Throws UnavailableError, DeviceFault and Cancelled.
class PartSolver {
 public:
  virtual ~PartSolver() = default;
  /// Largest number of rows of a piece, at least least_rows_of_piece().
  [[nodiscard]] virtual std::int64_t most_rows() const = 0;
  /// Largest number of rows that are solved along z at once, at least 1.
  [[nodiscard]] virtual std::int64_t most_rows_along_z() const = 0;

  /// Solves rows of an image.
  virtual void solve_rows(const RowsPiece& piece, const Answer& to, Context& context) = 0;
  /// Solves rows of a volume.
  virtual void solve_rows(const RowsPiece& piece, const Planes& to, Context& context) = 0;
  /// Solves these rows of all slices. The answer may lie in the memory of the planes, if its cells
  /// are as large.
  virtual void solve_along_z(const LayerRange& rows, const Planes& from, const Answer& to,
                             Context& context) = 0;

 protected:
  PartSolver() = default;
  PartSolver(const PartSolver&) = default;
  PartSolver& operator=(const PartSolver&) = default;
};

}  // namespace seedwave::distance
