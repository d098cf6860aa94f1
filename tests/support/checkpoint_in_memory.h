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
  [[nodiscard]] std::int64_t final_passes() const { return final_passes_; }

 private:
  struct Pass {
    std::vector<std::byte> states;
    std::vector<char> is_there;
    bool final = false;
  };
  class View : public Checkpoint {
   public:
    explicit View(KeptStates& kept) : kept_(kept) {}
    [[nodiscard]] std::chrono::milliseconds every() const override { return {}; }
    [[nodiscard]] bool is_due() const override { return true; }
    [[nodiscard]] int begin_pass(const std::string& name, std::int64_t bytes) override {
      const std::lock_guard lock(kept_.mutex_);
      Pass& pass =
          kept_.passes_[name + std::to_string(begun_[name]++) + ' ' + std::to_string(bytes)];
      pass.states.resize(static_cast<std::size_t>(bytes));
      pass.is_there.resize(static_cast<std::size_t>(bytes));
      passes_.push_back(&pass);
      return static_cast<int>(passes_.size()) - 1;
    }
    void begin_anew() override { begun_.clear(); }
    [[nodiscard]] bool is_final(int pass) const override {
      const std::lock_guard lock(kept_.mutex_);
      return at(pass).final;
    }
    void set_final(int pass, bool is_final) override {
      const std::lock_guard lock(kept_.mutex_);
      at(pass).final = is_final;
      if (is_final) ++kept_.final_passes_;
    }
    [[nodiscard]] bool restore(int pass, std::int64_t offset,
                               std::span<std::byte> states) const override {
      const std::lock_guard lock(kept_.mutex_);
      const Pass& kept = at(pass);
      for (std::size_t i = 0, at = static_cast<std::size_t>(offset); i < states.size(); ++i, ++at) {
        if (kept.is_there[at] == 0) continue;
        states[i] = kept.states[at];
        ++kept_.restored_;
      }
      return true;
    }
    [[nodiscard]] bool save(int pass, std::int64_t offset,
                            std::span<const std::byte> states) override {
      const std::lock_guard lock(kept_.mutex_);
      if (kept_.random_.below(kept_.one_in_refused_) == 0) return false;
      Pass& kept = at(pass);
      std::ranges::copy(states, kept.states.begin() + offset);
      std::fill_n(kept.is_there.begin() + offset, states.size(), 1);
      return true;
    }
    [[nodiscard]] std::string warning() const override { return {}; }

   private:
    [[nodiscard]] Pass& at(int pass) const { return *passes_[static_cast<std::size_t>(pass)]; }

    KeptStates& kept_;
    std::vector<Pass*> passes_;
    std::map<std::string, int> begun_;
  };

  std::mutex mutex_;  // guards all below
  RandomNumbers random_;
  std::int64_t one_in_refused_;
  std::map<std::string, Pass> passes_;
  std::int64_t final_passes_ = 0;
  std::int64_t restored_ = 0;
};

}  // namespace seedwave::test
