// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/parts.h"
#include "core/border/settling.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace seedwave::border {

/// The sides that a part of a band tells without the others.
struct SettledPart {
  /// Offsets of the voxels that change sides.
  std::vector<std::int64_t> moved;
  /// The voxels whose sides are not known.
  std::vector<BandCell> open;
};

/// By number; null: nothing may change.
using SettledParts = std::vector<std::shared_ptr<const SettledPart>>;

/// The voxels of a label that may change sides. Most need no cut, and those far from all changes no
/// new one; only the rest is a network.
struct Network {
  Label label = 0;
  SettledParts parts;
  /// The voxels that are open in their part, sorted by offset, and their sides.
  std::vector<BandCell> open;
  std::vector<CutSide> sides;
  /// Those whose sides are not known from before, as positions in `open`.
  std::vector<std::int32_t> wanted;
  Band band;  // of the wanted
  /// The network of what is open in `band`.
  std::vector<CutCell> cells;

  /// Sets the sides of the wanted, given those of the cells.
  void set_sides(const std::vector<CutSide>& of_cells);
};

/// Makes the networks of a problem, and keeps in the context's cache what the next problem can use:
/// parts of bands around which labels and seeds are the same, and the sides of voxels that no edge
/// connects with a change.
class Networks {
 public:
  /// labels: with the seeds. Both must outlive this object.
  Networks(const RefineBorderProblem& problem, const LabelMap& labels, Context& context);
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  /// Makes the network of a label with all its voxels in a box. Throws InputError for NaN near the
  /// border, UnavailableError for too many voxels, and Cancelled.
  [[nodiscard]] Network make(Label label, const Box& box);
  /// Keeps all networks of the problem, once their sides are set.
  void keep(std::vector<Network> networks);

 private:
  struct Kept;
  struct KeptLabel;

  [[nodiscard]] const KeptLabel* kept_of(Label label) const;
  [[nodiscard]] SettledParts parts_of(Label label, const Box& box, const CutCosts& costs) const;
  [[nodiscard]] std::shared_ptr<const SettledPart> make_part(Label label, const Box& box,
                                                             const Box& part,
                                                             const CutCosts& costs) const;
  [[nodiscard]] bool is_changed(const Box& part) const;
  [[nodiscard]] std::vector<std::int64_t> voxels_near(const SettledParts& parts,
                                                      const SettledParts& old) const;
  void choose_wanted(Network& network) const;

  const RefineBorderProblem& problem_;
  const LabelMap& labels_;
  Context& context_;
  PartGrid parts_;
  std::shared_ptr<const Kept> before_;
  std::shared_ptr<Kept> now_;
  std::vector<Box> changes_;  // by part, since `before_`
};

}  // namespace seedwave::border
