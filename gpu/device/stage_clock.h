// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/stream.h"

#include <list>
#include <optional>
#include <string>

namespace seedwave::gpu {

/// Times a run's stages with events on its stream and reports them to the Context.
///
/// Only report() synchronises, so timing does not change what is timed.
class StageClock {
 public:
  StageClock(Context& context, const Stream& stream) : context_(context), stream_(stream) {}

  /// Ends the current stage, if any, and starts one of this name.
  void begin(const std::string& stage) {
    end();
    named_.emplace(context_, stage, Context::Stage::Timed::Elsewhere);
    stages_.emplace_back(stage).start.record(stream_);
  }
  void end() {
    if (!stages_.empty()) stages_.back().close(stream_);
    named_.reset();
  }
  /// Ends the last stage, waits for the stream, and adds all times to the Context.
  void report() {
    end();
    stream_.synchronize();
    for (const Stage& stage : stages_) {
      context_.add_stage_time(stage.name, stage.stop.ms_since(stage.start));
    }
    stages_.clear();
  }

 private:
  struct Stage {
    explicit Stage(std::string called) : name(std::move(called)) {}
    void close(const Stream& stream) {
      if (!closed) stop.record(stream);
      closed = true;
    }
    std::string name;
    Event start;
    Event stop;
    bool closed = false;
  };

  Context& context_;
  Stream stream_;
  std::list<Stage> stages_;              // a list: events must not move
  std::optional<Context::Stage> named_;  // the open stage, for progress reports
};

}  // namespace seedwave::gpu
