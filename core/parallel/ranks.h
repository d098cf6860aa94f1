// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// Consecutive layers of a grid (slices, rows), from `begin` up to `end`.
struct LayerRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t layers() const noexcept { return end - begin; }
  [[nodiscard]] bool holds(std::int64_t layer) const noexcept {
    return layer >= begin && layer < end;
  }
};

/// Returns the layers that a rank owns if `ranks` of them share a grid: about equally many, in
/// order; none for some of them if there are more ranks than layers.
[[nodiscard]] LayerRange layers_of_rank(std::int64_t layers, int rank, int ranks) noexcept;
/// Returns the rank that owns a layer.
[[nodiscard]] int rank_of_layer(std::int64_t layer, std::int64_t layers, int ranks) noexcept;

/// The processes that share one run, as one of them sees them: numbered from 0, each with its own
/// memory, on one machine or several.
///
/// Not thread-safe: one thread at a time calls it. All ranks call the collective functions
/// (all_sum(), share(), a round) equally often and in the same order. Once a rank has failed, every
/// function throws UnavailableError or ends the process.
class Ranks {
 public:
  using Bytes = std::vector<std::byte>;
  /// Numbers that are added up over all ranks.
  using Sums = std::array<std::int64_t, 2>;

  virtual ~Ranks() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int count() const = 0;

  /// Numbers of what this rank sent so far.
  struct Sent {
    std::int64_t messages = 0;
    std::int64_t message_bytes = 0;
    /// By share(), once for all that receive them, and give().
    std::int64_t shared_bytes = 0;
  };
  [[nodiscard]] virtual Sent sent() const = 0;

  /// Sends a message without waiting for its receiver. Messages from one rank to another arrive in
  /// order.
  virtual void send(int to, Bytes message) = 0;
  /// Returns a message that has arrived; nothing if there is none.
  [[nodiscard]] virtual std::optional<Bytes> receive() = 0;

  /// Contributes to a collective sum without waiting for the others. The round before must have
  /// ended.
  virtual void begin_round(const Sums& own) = 0;
  /// Returns the sums once all ranks have contributed; that ends the round.
  [[nodiscard]] virtual std::optional<Sums> end_round() = 0;

  /// Collective: returns the sum over all ranks. Returns nowhere before all have called it.
  [[nodiscard]] virtual std::int64_t all_sum(std::int64_t own) = 0;
  /// Collective: gives the bytes of one rank to all. `bytes` has the same size everywhere.
  virtual void share(std::span<std::byte> bytes, int from) = 0;
  /// Gives the bytes of one rank to another. These two call it, and `bytes` has the same size in
  /// both.
  virtual void give(std::span<std::byte> bytes, int from, int to) = 0;

 protected:
  Ranks() = default;
  Ranks(const Ranks&) = default;
  Ranks& operator=(const Ranks&) = default;
};

/// Thrown where a rank has done its part of a run: the first one finishes it.
struct LeftToFirst {};

/// Returns the layers that this rank owns.
[[nodiscard]] LayerRange own_layers(const Ranks& ranks, std::int64_t layers);
/// Returns the same with up to `beside` more layers on each side.
[[nodiscard]] LayerRange own_layers_and(const Ranks& ranks, std::int64_t beside,
                                        std::int64_t layers);

// Collective functions. `bytes` are those of all `layers` of a grid.

/// Gives the layers of each rank to all.
void share_layers(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers);
/// Gives each rank the `beside` layers on each side of its own.
void share_layers_beside(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers,
                         std::int64_t beside);
/// Gives the layers of each rank to the first one.
void collect_layers(Ranks& ranks, std::span<std::byte> bytes, std::int64_t layers);

/// Collective: returns a text of each rank, in their order.
[[nodiscard]] std::vector<std::string> texts_of_all(Ranks& ranks, const std::string& own);

}  // namespace seedwave
