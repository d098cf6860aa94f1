// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/kept.h"

#include <memory>

namespace seedwave::gpu {

std::string device_cache_name(const char* what, const Context& context) {
  return "gpu/" + std::string(what) + "/" + std::to_string(context.device());
}

Stream stream_of(Context& context) {
  const std::string name = device_cache_name("stream", context);
  if (auto kept = context.cache().find<Stream>(name)) return *kept;
  auto fresh = std::make_shared<Stream>();
  context.cache().put(name, fresh, sizeof(Stream));
  return *fresh;
}

}  // namespace seedwave::gpu
