// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/checkpoint.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io {

/// A checkpoint in a folder. Files of states are named PASS-OFFSET-SIZE.states, where PASS is the
/// pass's name, number and bytes; each has the identity of its run and a checksum. PASS.final is
/// beside those of a pass that is at rest. A file appears as a whole, and is on the disk before its
/// pass is called final. Several processes of a run use a folder at the same time.
class CheckpointFolder : public Checkpoint {
 public:
  /// Makes the folder if it does not exist. `identity` is a line that names the run: whatever
  /// decides the states. Throws InputError if the folder holds files of another run, and
  /// OutputError if it cannot be made or written to.
  CheckpointFolder(std::filesystem::path folder, std::string identity,
                   std::chrono::milliseconds every);

  [[nodiscard]] std::chrono::milliseconds every() const override { return every_; }
  [[nodiscard]] bool is_due() const override;
  [[nodiscard]] int begin_pass(const std::string& name, std::int64_t bytes) override;
  void begin_anew() override;
  [[nodiscard]] bool is_final(int pass) const override;
  void set_final(int pass, bool is_final) override;
  [[nodiscard]] bool restore(int pass, std::int64_t offset,
                             std::span<std::byte> states) const override;
  [[nodiscard]] bool save(int pass, std::int64_t offset,
                          std::span<const std::byte> states) override;
  [[nodiscard]] std::string warning() const override;

  /// Returns the number of bytes of states that were found when their pass began.
  [[nodiscard]] std::int64_t found() const;
  /// Removes the files of the run, also those of other processes, and the folder if nothing else is
  /// in it. What cannot be removed stays.
  void remove();

 private:
  /// A file of states.
  struct Part {
    std::filesystem::path file;
    std::int64_t offset;
    std::int64_t size;
  };
  struct Pass {
    std::string name;
    std::int64_t bytes;
    std::vector<Part> parts;  // that are whole
    bool final = false;
  };

  [[nodiscard]] std::filesystem::path path_of(const Pass& pass, const std::string& rest) const;
  void read_parts(Pass& pass);
  [[nodiscard]] bool is_whole(const Part& part) const;
  void note(const std::string& warning) const;

  std::filesystem::path folder_;
  std::string identity_;
  std::chrono::milliseconds every_;
  mutable std::mutex mutex_;  // guards all below
  std::vector<Pass> passes_;
  std::map<std::string, int> begun_;  // passes by name
  std::chrono::steady_clock::time_point last_;
  std::int64_t found_ = 0;
  mutable std::string warning_;
};

}  // namespace seedwave::io
