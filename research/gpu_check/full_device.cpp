// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "gpu/device/memory.h"
#include "research/bench/inputs.h"
#include "research/gpu_check/checks.h"
#include "research/gpu_check/comparison.h"
#include "research/gpu_check/head_case.h"
#include "research/gpu_check/measured.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace seedwave::gpu_check {
namespace {

/// Share of the whole demand that is left free: enough for scene and affinities, too little for the
/// rest.
constexpr double kLeftOfWhole = 0.6;

/// Runs of one operation, each compared with the CPU's result.
class FullDeviceRuns {
 public:
  FullDeviceRuns(const Pair& pair, const CheckCase& c, int device, Report& report)
      : pair_(pair), c_(c), device_(device), report_(report) {
    // The CPU's fastest algorithm: the reference would take seconds.
    expected_ =
        run(*pair.operation, implementation_of(*pair.operation, "tiles", Backend::Cpu), c, {});
    const Values values = values_for(*pair.operation, c);
    least_ = pair.cuda->least_bytes(c.inputs, values);
    whole_ = pair.cuda->device_bytes(c.inputs, values);
  }

  void all() {
    {
      const auto cache = std::make_shared<ScratchCache>();
      const std::int64_t before = gpu::used_bytes(device_);
      compare("on the whole", {.device = device_, .cache = cache});
      if (gpu::used_bytes(device_) == before) fail("on the whole", "nothing was kept");
      compare("then in a stated memory",
              {.device = device_, .cache = cache, .memory = (least_ + whole_) / 2});
      expect_used("then in a stated memory", before);
    }
    const auto left = static_cast<std::int64_t>(kLeftOfWhole * static_cast<double>(whole_));
    const gpu::FullDevice full(device_, left);
    const std::int64_t before = gpu::used_bytes(device_);
    gpu::reset_peak_bytes(device_);
    const auto cache = std::make_shared<ScratchCache>();
    compare("with " + in_bytes(left) + " left", {.device = device_, .cache = cache});
    expect_used("with " + in_bytes(left) + " left", before);
    const auto most = static_cast<double>(gpu::peak_bytes(device_) - before);
    report_.rows.push_back({{"operation", pair_.operation->id + ", full device"},
                            {"runs", runs_},
                            {"in_parts", runs_ - 1},
                            {"different", different_},
                            {"most_used", most / static_cast<double>(left)}});
  }

 private:
  void fail(const std::string& where, const std::string& text) {
    report_.failures.push_back(pair_.operation->id + ", " + c_.name + ", " + where + ": " + text);
  }
  void expect_used(const std::string& where, std::int64_t bytes) {
    const std::int64_t kept = gpu::used_bytes(device_) - bytes;
    if (kept != 0) fail(where, in_bytes(kept) + " were kept");
  }
  void compare(const std::string& where, const Where& how) {
    bool same = false;
    try {
      const auto text = difference(expected_, run(*pair_.operation, *pair_.cuda, c_, how));
      if (text) fail(where, *text);
      same = !text;
    } catch (const UnavailableError& error) {
      fail(where, error.what());
    }
    ++runs_;
    different_ += same ? 0 : 1;
  }

  const Pair& pair_;
  const CheckCase& c_;
  int device_;
  Report& report_;
  Outcome expected_;
  std::int64_t least_ = 0;
  std::int64_t whole_ = 0;
  int runs_ = 0;
  int different_ = 0;
};

}  // namespace

void compare_on_full_device(const OperationTable& table, const PartsOptions& options,
                            Report& report) {
  // Large enough to make the memory that a driver reserves on a full device, some megabytes,
  // negligible.
  Context making;
  const Volume head = bench::head({512, 512, 192}, making);
  const CheckCase c = head_case(head, bench::two_strokes(head), "two strokes");
  for (const char* operation : {"rfc", "irfc"}) {
    if (!is_wanted(operation, options.operations)) continue;
    const Pair pair = exact_pair(table, operation, "tiles");
    FullDeviceRuns(pair, c, options.device, report).all();
  }
}

}  // namespace seedwave::gpu_check
