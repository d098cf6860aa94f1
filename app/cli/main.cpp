// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"
#include "app/cli/program.h"
#include "app/write_signals.h"

#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  seedwave::ignore_write_signals();
  const seedwave::cli::Interrupt interrupt;
  return seedwave::cli::run_program(words, interrupt.token());
}
