// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/checkpoint.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Saved states that outlive runs, as files do. Some savings are refused, so that states of
/// different ages are there.
class KeptStates {
 public:
  KeptStates(std::uint64_t seed, std::int64_t one_in_refused)
      : random_(seed), one_in_refused_(one_in_refused) {}

  /// Returns the checkpoint of one process of one run. It always saves what changed.
  [[nodiscard]] std::shared_ptr<Checkpoint> checkpoint() { return std::make_shared<View>(*this); }
  /// Returns the number of bytes that runs went on from.
  [[nodiscard]] std::int64_t restored() const { return restored_; }
  [[nodiscard]] std::int64_t final_passes() const { return std::ssize(final_); }

 private:
  struct Pass {
    std::vector<std::byte> states;
    std::vector<char> is_there;
  };
  class View : public Checkpoint {
   public:
    explicit View(KeptStates& kept) : kept_(kept) {}
    [[nodiscard]] std::chrono::milliseconds every() const override { return {}; }
    [[nodiscard]] bool is_due() const override { return true; }
    [[nodiscard]] int begin_pass(std::int64_t bytes) override {
      const std::lock_guard lock(kept_.mutex_);
      Pass& pass = kept_.passes_[passes_];
      pass.states.resize(static_cast<std::size_t>(bytes));
      pass.is_there.resize(static_cast<std::size_t>(bytes));
      return passes_++;
    }
    [[nodiscard]] bool is_final(int pass) const override {
      const std::lock_guard lock(kept_.mutex_);
      return kept_.final_.contains(pass);
    }
    void restore(int pass, std::int64_t offset, std::span<std::byte> states) const override {
      const std::lock_guard lock(kept_.mutex_);
      const Pass& kept = kept_.passes_[pass];
      for (std::size_t i = 0, at = static_cast<std::size_t>(offset); i < states.size(); ++i, ++at) {
        if (kept.is_there[at] == 0) continue;
        states[i] = kept.states[at];
        ++kept_.restored_;
      }
    }
    [[nodiscard]] bool save(int pass, std::int64_t offset,
                            std::span<const std::byte> states) override {
      const std::lock_guard lock(kept_.mutex_);
      if (kept_.random_.below(kept_.one_in_refused_) == 0) return false;
      Pass& kept = kept_.passes_[pass];
      std::ranges::copy(states, kept.states.begin() + offset);
      std::fill_n(kept.is_there.begin() + offset, states.size(), 1);
      return true;
    }
    void set_final(int pass) override {
      const std::lock_guard lock(kept_.mutex_);
      kept_.final_.insert(pass);
    }
    [[nodiscard]] std::string warning() const override { return {}; }

   private:
    KeptStates& kept_;
    int passes_ = 0;
  };

  std::mutex mutex_;  // guards all below
  RandomNumbers random_;
  std::int64_t one_in_refused_;
  std::map<int, Pass> passes_;
  std::set<int> final_;
  std::int64_t restored_ = 0;
};

}  // namespace seedwave::test
