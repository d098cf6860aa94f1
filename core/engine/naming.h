// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/io/image_source.h"

#include <string>

namespace seedwave {

/// Runs the action and puts a place ("cases.csv: line 3") before errors about an input or a value,
/// which keep their kind.
template <typename Action>
decltype(auto) naming(const std::string& place, Action&& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    throw UsageError(place + ": " + error.what());
  } catch (const io::DamagedError& error) {
    throw io::DamagedError(place + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(place + ": " + error.what());
  }
}

}  // namespace seedwave
