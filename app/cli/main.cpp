// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program.h"
#include "app/write_signals.h"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace seedwave::cli {
namespace {

constexpr char kSignalled = 's';
constexpr char kEnd = 'e';

/// Milliseconds from the stop request to the first check whether the program still waits in the
/// kernel, and between two such checks.
constexpr int kPatienceMs = 200;
/// Signal that interrupts a waiting system call and does nothing else: by default it is ignored.
constexpr int kWake = SIGURG;

// A signal handler can reach global objects only.
int g_pipe[2] = {-1, -1};

void tell(char what) {
  const int saved = errno;
  [[maybe_unused]] const auto written = write(g_pipe[1], &what, 1);
  errno = saved;
}

void on_signal(int) {
  tell(kSignalled);
}

void watch(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Handles one signal: the second finds the default handler, which ends the program.
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

/// Returns true in a program started by nohup, which outlives its terminal.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once.
///
/// A signal handler may hardly do anything, so it only writes a byte to a pipe that a background
/// thread waits on. That thread also interrupts a system call of the creating thread that would
/// wait forever, such as opening a pipe without a reader: the call fails with EINTR. If no thread
/// can be started, a signal ends the program as usual. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

 private:
  void wait_for_signal(pthread_t main);

  std::stop_source stop_;
  std::jthread thread_;
};

Interrupt::Interrupt() {
  if (pipe(g_pipe) != 0) return;  // no pipe, no soft stop: the default handler ends the program
  try {
    thread_ = std::jthread([this, main = pthread_self()] { wait_for_signal(main); });
  } catch (const std::system_error&) {
    // Without a thread there is no soft stop either.
    close(g_pipe[0]);
    close(g_pipe[1]);
    return;
  }
  watch(SIGINT, on_signal);
  watch(SIGTERM, on_signal);
  if (!is_ignored(SIGHUP)) watch(SIGHUP, on_signal);
  // Without SA_RESTART, so that the interrupted call returns.
  struct sigaction wake {};
  wake.sa_handler = [](int) {};
  sigaction(kWake, &wake, nullptr);
}

void Interrupt::wait_for_signal(pthread_t main) {
  char what = 0;
  while (read(g_pipe[0], &what, 1) < 0 && errno == EINTR) {
  }
  if (what != kSignalled) return;
  stop_.request_stop();
  // A program that computes polls the token. One that opens a pipe without a reader polls nothing:
  // it is woken until it has ended.
  pollfd end{.fd = g_pipe[0], .events = POLLIN, .revents = 0};
  while (poll(&end, 1, kPatienceMs) == 0)
    pthread_kill(main, kWake);
}

Interrupt::~Interrupt() {
  if (!thread_.joinable()) return;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (!is_ignored(SIGHUP)) std::signal(SIGHUP, SIG_DFL);
  tell(kEnd);
  thread_.join();
  std::signal(kWake, SIG_DFL);
  close(g_pipe[0]);
  close(g_pipe[1]);
}

}  // namespace
}  // namespace seedwave::cli

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  seedwave::ignore_write_signals();
  const seedwave::cli::Interrupt interrupt;
  return seedwave::cli::run_program(words, interrupt.token());
}
