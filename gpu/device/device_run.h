// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/devices.h"
#include "gpu/device/kept.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"

namespace seedwave::gpu {

/// The start of a run: makes the context's device current and provides its stream and a clock.
///
/// The destructor waits for all enqueued work, however the run ended, because copies read and write
/// host memory of the run. Declare it after that memory.
class DeviceRun {
 public:
  /// Throws UnavailableError if there is no such device.
  explicit DeviceRun(Context& context) : stream(on_device(context)), clock(context, stream) {}
  ~DeviceRun() { stream.drain(); }
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;

  const Stream stream;
  StageClock clock;

 private:
  static Stream on_device(Context& context) {
    use_device(context.device());
    return stream_of(context);
  }
};

}  // namespace seedwave::gpu
