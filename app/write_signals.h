// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave {

/// Ignores SIGPIPE and SIGXFSZ. A write to a pipe without a reader, or beyond the largest file
/// size, then fails with an error that is reported, and does not kill the program.
void ignore_write_signals();

}  // namespace seedwave
