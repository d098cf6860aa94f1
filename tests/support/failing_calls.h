// SPDX-License-Identifier: Apache-2.0
#pragma once

// System calls that write files, made to fail on purpose.
//
// The library stands between a program and the C library. A test links it. Another program loads it
// by LD_PRELOAD with SEEDWAVE_FAILING_CALL=NAME (write, fsync, rename, link, tmpfile) and
// SEEDWAVE_FAILING_AT=N. Calls count from 1. Only calls on regular files count; of opens, only
// those of files without a name. SEEDWAVE_KILLING_AT=N instead kills the program with SIGKILL at
// its n-th call of any kind.
namespace seedwave::test {

enum class FailingCall { None, Write, Flush, Rename, Link };

/// Makes the n-th call of a kind from now on fail once with `error`, in this process. n = 0: none
/// fails, calls are only counted.
void fail_call(FailingCall call, int n, int error);
/// Returns the number of calls of that kind since fail_call().
int calls_counted();
/// Kills this process with SIGKILL at its n-th call of any kind from now on; 0: never.
void kill_at_call(int n);
/// Sets whether files without a name can be created (O_TMPFILE), to simulate file systems that do
/// not support them.
void allow_unnamed_files(bool allowed);

/// Does the same as fail_call(), for a scope.
class FailingScope {
 public:
  FailingScope(FailingCall call, int n, int error) { fail_call(call, n, error); }
  ~FailingScope() { fail_call(FailingCall::None, 0, 0); }
  FailingScope(const FailingScope&) = delete;
  FailingScope& operator=(const FailingScope&) = delete;
};

}  // namespace seedwave::test
