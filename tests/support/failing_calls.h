// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls of the system that write files, made to fail on purpose.
//
// The library stands between a program and the C library: a test links it, another program gets it
// by LD_PRELOAD with SEEDWAVE_FAILING_CALL=NAME (write, fsync, rename, link, tmpfile) and
// SEEDWAVE_FAILING_AT=N. Calls count from 1; only those on regular files do, and of opens only
// those of files without a name. SEEDWAVE_KILLING_AT=N kills the program with SIGKILL at its n-th
// call of any kind instead.
namespace seedwave::test {

enum class FailingCall { None, Write, Flush, Rename, Link };

/// Makes the n-th call of a kind fail with `error` from now on, once; n = 0: none, calls are only
/// counted. For this process.
void fail_call(FailingCall call, int n, int error);
/// The number of calls of that kind since fail_call().
int calls_counted();
/// Kills this process with SIGKILL at its n-th call of any kind from now on; 0: does not.
void kill_at_call(int n);
/// Whether files without a name can be made (O_TMPFILE); as on a file system that knows none.
void allow_unnamed_files(bool allowed);

/// As fail_call(), for a scope.
class FailingScope {
 public:
  FailingScope(FailingCall call, int n, int error) { fail_call(call, n, error); }
  ~FailingScope() { fail_call(FailingCall::None, 0, 0); }
  FailingScope(const FailingScope&) = delete;
  FailingScope& operator=(const FailingScope&) = delete;
};

}  // namespace seedwave::test
