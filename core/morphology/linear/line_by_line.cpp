// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/linear_opening.h"
#include "core/morphology/linear/scan_line.h"
#include "core/parallel/parallel_for.h"

#include <cassert>
#include <cstddef>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kLineCellsPerTask = 1 << 14;

/// Copies each line, extended at both ends and for a closing inverted, opens it, and writes it
/// back.
template <typename Voxel, typename Scan>
class LineByLine {
 public:
  using Cell = CellOf<Voxel>;

  LineByLine(const LinearOpeningProblem& problem, const Voxel* voxels, Voxel* opened)
      : problem_(problem), voxels_(voxels), opened_(opened) {
    const LineFamily& lines = problem.lines;
    const Geometry& geometry = problem.image.geometry();
    steps_.resize(static_cast<std::size_t>(geometry.size[lines.major()]));
    for (std::size_t i = 0; i < steps_.size(); ++i)
      steps_[i] = geometry.offset({lines.shifts(0)[i], lines.shifts(1)[i], lines.shifts(2)[i]});
  }

  void run(Context& context) const {
    const std::int64_t cells_each = problem_.lines.size()[problem_.lines.major()];
    const std::int64_t grain = std::max<std::int64_t>(1, kLineCellsPerTask / cells_each);
    const std::int64_t count = problem_.lines.line_count();
    parallel_for(context, count, grain, [&](std::int64_t begin, std::int64_t end) {
      Scan scan;
      std::vector<Cell> line;
      std::vector<Cell> opened;
      for (std::int64_t i = begin; i < end; ++i) {
        context.checkpoint(static_cast<double>(i) / static_cast<double>(count));
        open(problem_.lines.line(i), scan, line, opened);
      }
    });
  }

 private:
  void open(const DigitalLine& at, Scan& scan, std::vector<Cell>& line,
            std::vector<Cell>& opened) const {
    const std::int64_t count = at.last - at.first;
    if (count == 0) return;
    const bool turned = problem_.filter == LineFilter::Closing;
    const std::int64_t length = linear::least_length(problem_.border, problem_.length, count);
    const auto [front, behind] = margins(problem_.border, length);
    const std::int64_t base = problem_.image.geometry().offset(at.base);
    line.assign(static_cast<std::size_t>(front + count + behind), linear::kHighest<Cell>);
    for (std::int64_t i = 0; i < count; ++i)
      line[front + i] = to_cell(voxels_[base + steps_[at.first + i]], turned);
    scan.open(line, length, opened);
    for (std::int64_t i = 0; i < count; ++i) {
      const Cell cell = opened[front + i];
      opened_[base + steps_[at.first + i]] =
          linear::filtered_voxel<Voxel>(turned ? static_cast<Cell>(~cell) : cell, problem_.filter);
    }
  }

  const LinearOpeningProblem& problem_;
  const Voxel* voxels_;
  Voxel* opened_;
  std::vector<std::int64_t> steps_;  // offsets along a line
};

template <typename Voxel, template <typename> class Scan>
void run(const LinearOpeningProblem& problem, const Voxel* voxels, Voxel* opened,
         Context& context) {
  LineByLine<Voxel, Scan<CellOf<Voxel>>>(problem, voxels, opened).run(context);
}

}  // namespace

std::string name_of(LineAlgorithm algorithm) {
  switch (algorithm) {
    case LineAlgorithm::Naive:
      return "naive";
    case LineAlgorithm::Hgw:
      return "hgw";
    case LineAlgorithm::Morard:
      return "morard";
    case LineAlgorithm::Bartovsky:
      break;
  }
  return "bartovsky";
}

Volume linear_opening_by(LineAlgorithm algorithm, const LinearOpeningProblem& problem,
                         Context& context) {
  check(problem);
  const auto stage = context.stage(problem.filter == LineFilter::Opening ? "opening" : "closing");
  const Geometry& geometry = problem.image.geometry();
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    auto opened = large_array<Voxel>(voxels.size());
    switch (algorithm) {
      case LineAlgorithm::Naive:
        run<Voxel, linear::NaiveScan>(problem, voxels.data(), opened.get(), context);
        break;
      case LineAlgorithm::Hgw:
        run<Voxel, linear::HgwScan>(problem, voxels.data(), opened.get(), context);
        break;
      case LineAlgorithm::Morard:
        run<Voxel, linear::MorardScan>(problem, voxels.data(), opened.get(), context);
        break;
      case LineAlgorithm::Bartovsky:
        run<Voxel, linear::BartovskyScan>(problem, voxels.data(), opened.get(), context);
        break;
    }
    return Volume(geometry, std::move(opened));
  });
}

}  // namespace seedwave
