// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/parallel/ranks.h"
#include "core/parallel/workers.h"
#include "tests/support/random_numbers.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Ranks that are threads of this process. Each message is on its way for a random time.
class RanksInProcess {
 public:
  using Delay = std::chrono::microseconds;

  RanksInProcess(int count, Delay most_delay, std::uint64_t seed)
      : count_(count), most_delay_(most_delay), random_(seed), inboxes_(index(count)) {}

  /// Calls body(ranks) for each rank at the same time. A rank that throws makes the others fail.
  /// Rethrows the first exception.
  void run(const std::function<void(const std::shared_ptr<Ranks>&)>& body) {
    run_workers(count_, [&](int rank) {
      try {
        body(std::make_shared<Rank>(*this, rank));
      } catch (...) {
        fail();
        throw;
      }
    });
  }

  [[nodiscard]] std::int64_t messages() const { return messages_; }
  [[nodiscard]] std::int64_t rounds() const { return rounds_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Arriving {
    Clock::time_point when;
    Ranks::Bytes bytes;
  };
  struct Sum {
    int contributed = 0;
    int read = 0;
    Ranks::Sums sums{};
  };

  class Rank : public Ranks {
   public:
    Rank(RanksInProcess& all, int rank) : all_(all), rank_(rank) {}
    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int count() const override { return all_.count_; }

    [[nodiscard]] Sent sent() const override { return sent_; }

    void send(int to, Bytes message) override {
      const std::lock_guard lock(all_.mutex_);
      all_.refuse_failed();
      ++sent_.messages;
      sent_.message_bytes += std::ssize(message);
      Clock::time_point& last = last_arrival_[to];
      const Delay delay{all_.random_.below(all_.most_delay_.count() + 1)};
      last = std::max(last, Clock::now() + delay);
      all_.inboxes_[index(to)][rank_].push_back({last, std::move(message)});
      ++all_.messages_;
    }
    [[nodiscard]] std::optional<Bytes> receive() override {
      const std::lock_guard lock(all_.mutex_);
      all_.refuse_failed();
      for (auto& [from, arriving] : all_.inboxes_[index(rank_)]) {
        if (arriving.empty() || arriving.front().when > Clock::now()) continue;
        Bytes message = std::move(arriving.front().bytes);
        arriving.pop_front();
        return message;
      }
      return {};
    }

    void begin_round(const Sums& own) override {
      const std::lock_guard lock(all_.mutex_);
      all_.add(round_, own);
    }
    [[nodiscard]] std::optional<Sums> end_round() override {
      const std::lock_guard lock(all_.mutex_);
      all_.refuse_failed();
      const auto sums = all_.read(round_);
      if (sums && rank_ == 0) ++all_.rounds_;
      if (sums) ++round_;
      return sums;
    }

    [[nodiscard]] std::int64_t all_sum(std::int64_t own) override {
      std::unique_lock lock(all_.mutex_);
      const std::int64_t number = --collective_;
      all_.add(number, {own, 0});
      std::optional<Sums> sums;
      all_.wait(lock, [&] { return (sums = all_.read(number)).has_value(); });
      return (*sums)[0];
    }
    void share(std::span<std::byte> bytes, int from) override {
      std::unique_lock lock(all_.mutex_);
      const std::int64_t number = --collective_;
      if (from == rank_) {
        sent_.shared_bytes += std::ssize(bytes);
        all_.shared_[number] = {bytes.begin(), bytes.end()};
        all_.changed_.notify_all();
        return;
      }
      all_.wait(lock, [&] { return all_.shared_.contains(number); });
      const Bytes& given = all_.shared_[number];
      if (given.size() != bytes.size()) throw InputError("shared bytes of another size");
      std::ranges::copy(given, bytes.begin());
    }
    void give(std::span<std::byte> bytes, int from, int to) override {
      std::unique_lock lock(all_.mutex_);
      std::deque<Bytes>& given = all_.given_[{from, to}];
      if (from == rank_) {
        sent_.shared_bytes += std::ssize(bytes);
        given.emplace_back(bytes.begin(), bytes.end());
        all_.changed_.notify_all();
        return;
      }
      if (to != rank_) throw InputError("bytes that are given to somebody else");
      all_.wait(lock, [&] { return !given.empty(); });
      if (given.front().size() != bytes.size()) throw InputError("given bytes of another size");
      std::ranges::copy(given.front(), bytes.begin());
      given.pop_front();
    }

   private:
    RanksInProcess& all_;
    int rank_;
    Sent sent_;
    std::map<int, Clock::time_point> last_arrival_;  // by receiver
    std::int64_t round_ = 0;
    std::int64_t collective_ = 0;  // counts down
  };

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }
  void refuse_failed() const {
    if (failed_) throw UnavailableError("another rank failed");
  }
  template <typename Ready>
  void wait(std::unique_lock<std::mutex>& lock, Ready&& ready) {
    changed_.wait(lock, [&] { return failed_ || ready(); });
    refuse_failed();
  }
  void add(std::int64_t number, const Ranks::Sums& own) {
    Sum& sum = sums_[number];
    for (std::size_t i = 0; i < own.size(); ++i)
      sum.sums[i] += own[i];
    ++sum.contributed;
    changed_.notify_all();
  }
  std::optional<Ranks::Sums> read(std::int64_t number) {
    Sum& sum = sums_[number];
    if (sum.contributed < count_) return {};
    const Ranks::Sums sums = sum.sums;
    if (++sum.read == count_) sums_.erase(number);
    return sums;
  }

  int count_;
  Delay most_delay_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  RandomNumbers random_;
  std::vector<std::map<int, std::deque<Arriving>>> inboxes_;  // by receiver, then sender
  std::map<std::int64_t, Sum> sums_;
  std::map<std::int64_t, Ranks::Bytes> shared_;
  std::map<std::pair<int, int>, std::deque<Ranks::Bytes>> given_;  // by sender and receiver
  bool failed_ = false;
  std::int64_t messages_ = 0;
  std::int64_t rounds_ = 0;
};

}  // namespace seedwave::test
