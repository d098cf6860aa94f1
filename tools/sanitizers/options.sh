# shellcheck shell=bash
# Read by ./check, tools/fuzz and research/shows/sanitizers: how the sanitizers behave in the asan and tsan builds; no effect elsewhere.
suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Not strict_string_checks: libxkbcommon-x11 copies keyboard names by strndup from what the X server sent, which
# ends with no zero. That is right, and the check calls it an overflow before any window opens.
# Not the order of libraries: tests let calls of the system fail by a library that is loaded first.
export ASAN_OPTIONS=detect_stack_use_after_return=1:verify_asan_link_order=0
export LSAN_OPTIONS=suppressions=$suppressions/leaks.txt:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# Debian's TBB, Qt and VTK are not instrumented: what they do among themselves is not ours to judge. QProcess starts
# programs by a fork that shares the parent's memory, after which TSan takes the parent for the child and would end it
# at its next thread: hence die_after_fork=0.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0:suppressions=$suppressions/threads.txt:halt_on_error=1
# Qt Test ends a test function after five minutes; under TSan on a busy machine some take longer.
export QTEST_FUNCTION_TIMEOUT=1800000
