// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace seedwave {

/// A place that keeps the states of a run, so that it goes on after it was interrupted. A run has
/// passes, each with states of its own. States that any run of the same problem saved in a pass, in
/// any mixture of ages, are a good start of that pass (docs/wavefront.md).
///
/// Thread-safe. Nothing that fails here ends the run: warning() tells of it.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  /// Returns the least time between two savings of the same states.
  [[nodiscard]] virtual std::chrono::milliseconds every() const = 0;
  /// Returns whether that time has passed since something was saved, or since the run began.
  [[nodiscard]] virtual bool is_due() const = 0;

  /// Begins the next pass of that name, of letters and digits, whose states take `bytes`. Returns
  /// its number. What is saved of a pass is found by its name, how many passes of that name were
  /// before, and its bytes.
  [[nodiscard]] virtual int begin_pass(const std::string& name, std::int64_t bytes) = 0;
  /// The run begins anew, by another device or within less memory.
  virtual void begin_anew() = 0;
  /// Returns whether all states of the pass are there, and final.
  [[nodiscard]] virtual bool is_final(int pass) const = 0;
  /// The saved states of the pass, which are all, are final; or those to come need not be. The
  /// second must be noted before they come.
  virtual void set_final(int pass, bool is_final) = 0;
  /// Replaces the states from byte `offset` on by those that are there; leaves the rest. Returns
  /// whether what is there could be read.
  [[nodiscard]] virtual bool restore(int pass, std::int64_t offset,
                                     std::span<std::byte> states) const = 0;
  /// Saves states from byte `offset` on, in place of all that lies there. Returns whether that was
  /// possible.
  [[nodiscard]] virtual bool save(int pass, std::int64_t offset,
                                  std::span<const std::byte> states) = 0;

  /// Returns the first thing that could not be saved or read, and why; "" if all could.
  [[nodiscard]] virtual std::string warning() const = 0;

 protected:
  Checkpoint() = default;
  Checkpoint(const Checkpoint&) = default;
  Checkpoint& operator=(const Checkpoint&) = default;
};

}  // namespace seedwave
