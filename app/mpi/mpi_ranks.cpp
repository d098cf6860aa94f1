// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/module.h"
#include "app/process_group.h"
#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <list>
#include <memory>
#include <mpi.h>
#include <sched.h>
#include <thread>
#include <utility>
#include <vector>

namespace seedwave::mpi {
namespace {

constexpr int kTag = 1;
constexpr int kGivenTag = 2;
/// Time between two looks whether an operation has ended, while it goes on. MPI's own waiting takes
/// a whole processor, which another process of the run may need.
constexpr std::chrono::microseconds kBetweenLooks{100};
/// While others are still to come it grows with what was waited so far, up to this.
constexpr std::chrono::microseconds kMostBetweenLooks{5000};
constexpr int kShareOfWait = 32;
/// MPI counts bytes in an int.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

enum class Partners { Come, AreHere };

/// Waits until an operation of MPI has ended.
void wait_for(MPI_Request& request, Partners partners = Partners::Come) {
  const auto start = std::chrono::steady_clock::now();
  for (int is_done = 0;;) {
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) return;
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - start);
    std::this_thread::sleep_for(
        partners == Partners::AreHere
            ? kBetweenLooks
            : std::clamp(waited / kShareOfWait, kBetweenLooks, kMostBetweenLooks));
  }
}

/// Waits until all processes have come here.
void wait_for_all() {
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here);
  wait_for(all_are_here);
}

/// MPI's own handler ends the process at an error, so results need no check.
class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  ~MpiRanks() override { wait_for_sends(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }
  [[nodiscard]] Sent sent() const override { return sent_; }

  void send(int to, Bytes message) override {
    if (message.size() > kMostAtOnce)
      throw UnavailableError("a layer of more than 1 GB cannot be sent to another process");
    ++sent_.messages;
    sent_.message_bytes += std::ssize(message);
    Sending& sending = sending_.emplace_back(std::move(message));
    MPI_Isend(sending.message.data(), static_cast<int>(sending.message.size()), MPI_BYTE, to, kTag,
              MPI_COMM_WORLD, &sending.request);
    forget_sent();
  }

  [[nodiscard]] std::optional<Bytes> receive() override {
    forget_sent();
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return {};
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Bytes message(static_cast<std::size_t>(size));
    MPI_Recv(message.data(), size, MPI_BYTE, status.MPI_SOURCE, kTag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

  void begin_round(const Sums& own) override {
    contributed_ = own;
    MPI_Iallreduce(contributed_.data(), sums_.data(), static_cast<int>(sums_.size()), MPI_INT64_T,
                   MPI_SUM, MPI_COMM_WORLD, &round_);
  }
  [[nodiscard]] std::optional<Sums> end_round() override {
    int is_done = 0;
    MPI_Test(&round_, &is_done, MPI_STATUS_IGNORE);
    if (is_done == 0) return {};
    return sums_;
  }

  [[nodiscard]] std::int64_t all_sum(std::int64_t own) override {
    std::int64_t sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&own, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    wait_for(request);
    return sum;
  }

  void share(std::span<std::byte> bytes, int from) override {
    if (from == rank_) sent_.shared_bytes += std::ssize(bytes);
    wait_for_all();
    in_pieces(bytes, [&](std::byte* piece, int size, MPI_Request& request) {
      MPI_Ibcast(piece, size, MPI_BYTE, from, MPI_COMM_WORLD, &request);
    });
  }
  void give(std::span<std::byte> bytes, int from, int to) override {
    if (from == rank_) sent_.shared_bytes += std::ssize(bytes);
    meet(from == rank_ ? to : from);
    in_pieces(bytes, [&](std::byte* piece, int size, MPI_Request& request) {
      if (from == rank_)
        MPI_Isend(piece, size, MPI_BYTE, to, kGivenTag, MPI_COMM_WORLD, &request);
      else
        MPI_Irecv(piece, size, MPI_BYTE, from, kGivenTag, MPI_COMM_WORLD, &request);
    });
  }

 private:
  /// Calls begin(piece, size, request) and waits, for one piece after the other.
  template <typename Begin>
  static void in_pieces(std::span<std::byte> bytes, const Begin& begin) {
    while (!bytes.empty()) {
      const std::size_t size = std::min(bytes.size(), kMostAtOnce);
      MPI_Request request = MPI_REQUEST_NULL;
      begin(bytes.data(), static_cast<int>(size), request);
      wait_for(request, Partners::AreHere);
      bytes = bytes.subspan(size);
    }
  }

  struct Sending {
    explicit Sending(Bytes bytes) : message(std::move(bytes)) {}
    Bytes message;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Waits for another process that meets this one.
  static void meet(int other) {
    for (const bool sends : {true, false}) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (sends)
        MPI_Isend(nullptr, 0, MPI_BYTE, other, kGivenTag, MPI_COMM_WORLD, &request);
      else
        MPI_Irecv(nullptr, 0, MPI_BYTE, other, kGivenTag, MPI_COMM_WORLD, &request);
      wait_for(request);
    }
  }

  void forget_sent() {
    std::erase_if(sending_, [](Sending& sending) {
      int is_done = 0;
      MPI_Test(&sending.request, &is_done, MPI_STATUS_IGNORE);
      return is_done != 0;
    });
  }
  void wait_for_sends() {
    for (Sending& sending : sending_)
      wait_for(sending.request);
  }

  int rank_ = 0;
  int count_ = 1;
  Sent sent_;
  std::list<Sending> sending_;
  MPI_Request round_ = MPI_REQUEST_NULL;
  Sums contributed_{};  // of the round under way
  Sums sums_{};
};

/// Fills in who else is on this machine. Launchers may give each process cores of its own.
void look_around(ProcessGroup& group) {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int count = 1;
  MPI_Comm_rank(here, &group.number_here);
  MPI_Comm_size(here, &count);
  cpu_set_t own;
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_SET(0, &own);  // more cores than it holds
  std::vector<cpu_set_t> all(static_cast<std::size_t>(count));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, here);
  group.sharing = static_cast<int>(std::ranges::count_if(all, [&](cpu_set_t& other) {
    cpu_set_t both;
    CPU_AND(&both, &own, &other);
    return CPU_COUNT(&both) > 0;
  }));
  group.threads = std::max(1, CPU_COUNT(&own) / group.sharing);
  MPI_Comm_free(&here);
}

}  // namespace
}  // namespace seedwave::mpi

extern "C" void seedwave_mpi_start(seedwave::ProcessGroup& group) {
  using namespace seedwave;
  // Messages go by a thread of their own, sums by the one that runs; never two at a time.
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED)
    throw UnavailableError("this MPI was built without threads");
  auto ranks = std::make_shared<mpi::MpiRanks>();
  if (ranks->count() == 1) return;
  mpi::look_around(group);
  group.ranks = std::move(ranks);
}

extern "C" void seedwave_mpi_end(int exit_code) {
  if (exit_code != 0) MPI_Abort(MPI_COMM_WORLD, exit_code);
  // The first process may still write for minutes.
  seedwave::mpi::wait_for_all();
  MPI_Finalize();
}
