// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/checkpoint.h"
#include "core/parallel/context.h"
#include "core/wavefront/partitions/slab_inputs.h"
#include "core/wavefront/partitions/slabs.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// The states from which a pass can go on after it was interrupted: any that a visit stored, or
/// only the final ones. Any are good if visits start from the present states of their cells. Visits
/// that compute them from the halo alone may lower them, if the halo is of an earlier time.
enum class GoesOn { FromAny, FromFinal };

/// The beginning of a pass.
struct PassStart {
  /// Writes the first states of the cells from `first` to `end`: called for whole layers, mostly
  /// once for each, by several threads with different ones. Empty if the cells hold them.
  std::function<void(std::int64_t first, std::int64_t end)> states{};
  /// Names the states among those of the run, for a checkpoint: letters and digits.
  std::string name = "states";
  GoesOn goes_on = GoesOn::FromAny;
  /// No pass follows: its final states are of no use to a run that goes on, and ranks do not give
  /// each other those beside their own layers.
  bool is_last = false;
  /// Arrays of the whole grid that visits read beside the states (SlabInputs).
  std::vector<std::span<const std::byte>> inputs{};
};

/// Some layers of a slab: at its first visit all of them.
struct SlabPart {
  std::int64_t slab = 0;
  Slab layers;
};

/// The cells of a wavefront's states as bytes: what is known of them without their type. They get
/// their first values as their slabs are visited, and layers come from and go to other ranks.
class SlabCells {
 public:
  SlabCells(const SlabCells&) = delete;
  SlabCells& operator=(const SlabCells&) = delete;

  [[nodiscard]] const SlabGrid& slabs() const noexcept { return slabs_; }
  [[nodiscard]] const PassStart& first() const noexcept { return first_; }
  /// The states of some layers.
  [[nodiscard]] std::span<std::byte> layers(const LayerRange& range) const;
  /// Returns the place of a layer in the states of the whole grid, in bytes.
  [[nodiscard]] std::int64_t offset(std::int64_t layer) const;
  /// First states are replaced by those that the checkpoint holds of the pass. Borrows it.
  void go_on_from(const Checkpoint& checkpoint, int pass);
  /// Makes the first states of all slabs. Returns whether all that the checkpoint holds of them
  /// could be read.
  [[nodiscard]] bool start_all(Context& context);
  /// Takes the states of a layer beside those of this rank from the rank that owns it, for the next
  /// visit to the slab whose halo it is.
  void put(std::int64_t layer, std::span<const std::byte> states);

 protected:
  /// Borrows `slabs` and `cells`, which are those of the whole grid. `shared`: by several workers.
  SlabCells(const SlabGrid& slabs, std::span<std::byte> cells, PassStart first, bool shared);
  ~SlabCells() = default;

  /// A visit begins: makes the first states of the part and its halo, where nobody did so before,
  /// and takes what has arrived of the halo from other ranks.
  void start(const SlabPart& part, Context& context);
  /// Returns the lock of the side between a slab and the one before it; there is one at both ends,
  /// too.
  [[nodiscard]] std::mutex& side_before(std::int64_t slab) const {
    return sides_[static_cast<std::size_t>(slab)];
  }

 private:
  void make_first_states(const SlabPart& part, Context& context);
  void take_arrived(std::int64_t layer);
  void start_layers(const LayerRange& range);
  void start_edge(std::int64_t layer);

  const SlabGrid& slabs_;
  std::span<std::byte> cells_;
  PassStart first_;
  SlabInputs inputs_;
  const Checkpoint* checkpoint_ = nullptr;
  int pass_ = 0;
  std::atomic<bool> all_restored_ = true;
  mutable std::vector<std::mutex> sides_;
  std::vector<char> inner_started_;  // by slab: its layers between the outermost ones
  std::mutex start_mutex_;           // guards the first states of outermost layers, and:
  std::set<std::int64_t> started_;   // outermost layers
  std::map<std::int64_t, std::vector<std::byte>> arrived_;  // by layer, the last
};

}  // namespace seedwave
