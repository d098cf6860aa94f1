// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/devices.h"
#include "gpu/device/kept.h"
#include "gpu/device/stage_clock.h"
#include "gpu/device/stream.h"

namespace seedwave::gpu {

/// What a run begins with: the context's device is made current, and there are its stream and a
/// clock. When it goes, however the run ended, what was enqueued has been waited for, since copies
/// read and write host memory of the run: it must be made after that memory.
class DeviceRun {
 public:
  /// Throws UnavailableError (no such device).
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
