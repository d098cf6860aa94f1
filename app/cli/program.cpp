// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program.h"

#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/process_group.h"
#include "core/base/error.h"
#include "core/base/scratch_files.h"
#include "core/io/image_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <thread>

namespace seedwave::cli {
namespace {

struct Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view help;
  int (*run)(const Call& call);
};

constexpr std::array kCommands{
    Command{"run", "OP --image PATH ...", "run an operation on an image", run_command},
    Command{"sweep", "OP --vary PARAM=... ...",
            "run an operation with many values and compare the results", sweep_command},
    Command{"apply", "RECIPE PATH... --out DIR", "carry out a recipe on many images",
            apply_command},
    Command{"verify", "CASE/result.json", "compute a result of apply again and compare",
            verify_command},
    Command{"info", "PATH...", "list the contents of files and folders", info_command},
    Command{"stains", "IMAGE", "find the stains of a colour image, as channels", stains_command},
    Command{"compare", "A B", "compute overlap and surface distances of two label maps",
            compare_command},
    Command{"convert", "IN OUT", "convert an image or label map to another format",
            convert_command},
    Command{"bench", "[OP] ...", "compare the run times of algorithms", bench_command},
    Command{"ops", "", "list every operation with its parameters", ops_command},
    Command{"devices", "", "list CPU threads and CUDA devices", devices_command},
};

std::string overview() {
  const std::string page = "usage: seedwave-cli COMMAND ...\n\n";
  std::vector<ListLine> lines;
  lines.reserve(kCommands.size());
  for (const Command& command : kCommands) {
    lines.push_back({std::string(command.name) + " " + std::string(command.arguments),
                     std::string(command.help)});
  }
  return page + in_columns(lines) +
         "\nEach command has --help; run OP --help lists the flags of an operation.\n"
         "Exit codes: 0 done, 2 wrong usage, 3 an input cannot be used, 4 an output cannot\n"
         "be written, 5 not possible on this machine, 130 interrupted.\n"
         "For research, not for diagnosis.\n";
}

const Command& command_named(const std::string& name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return command;
  }
  std::string names;
  for (const Command& command : kCommands)
    names.append(names.empty() ? "" : ", ").append(command.name);
  throw UsageError("unknown command '" + name + "': choose one of " + names);
}

int run_words(std::span<const std::string> words, const std::stop_token& stop) {
  if (words.empty() || words[0] == "--json") {
    throw UsageError("no command given: see seedwave-cli --help");
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print(overview());
    return 0;
  }
  if (words[0] == "--version") {
    print("seedwave-cli " SEEDWAVE_VERSION "\n");
    return 0;
  }
  const Command& command = command_named(words[0]);
  if (launched_count() > 1) {
    if (command.run != run_command)
      throw UsageError("only run is shared by several processes: start one");
    static_cast<void>(process_group());  // from here on a process that fails ends the others
  }
  return command.run({words.subspan(1), stop});
}

/// Returns whether this process tells the user of its failure. Of several the first one does, as
/// all fail alike at wrong flags; another one only if the first goes on, and so does not end it.
bool tells(const std::stop_token& stop) {
  if (launched_rank() == 0) return true;
  if (!in_process_group()) return false;
  constexpr std::chrono::milliseconds kPatience{500};
  constexpr std::chrono::milliseconds kBetweenLooks{10};
  for (auto waited = kBetweenLooks; waited < kPatience; waited += kBetweenLooks) {
    if (stop.stop_requested()) return false;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return !stop.stop_requested();
}

int fail(std::span<const std::string> words, const std::stop_token& stop, int code,
         const std::string& message) {
  if (!tells(stop)) return code;
  print_failure(message);
  if (std::find(words.begin(), words.end(), "--json") != words.end()) {
    print_json({{"error", {{"code", code}, {"message", message}}}});
  }
  return code;
}

int run_and_tell(std::span<const std::string> words, const std::stop_token& stop) {
  try {
    const int code = run_words(words, stop);
    // A write that filled the buffer may have failed earlier, and only the stream's state tells.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw OutputError("cannot write to standard output");
    }
    return code;
  } catch (const Cancelled&) {
    return fail(words, stop, kExitInterrupted, "interrupted");
  } catch (const OutputError& error) {
    // An interrupt may hit a file that is being written, or a pipe without a reader.
    if (stop.stop_requested()) return fail(words, stop, kExitInterrupted, "interrupted");
    return fail(words, stop, error.exit_code(), error.what());
  } catch (const io::DamagedError& error) {
    return fail(words, stop, error.exit_code(), error.what() + std::string(kHowToRead));
  } catch (const Error& error) {
    return fail(words, stop, error.exit_code(), error.what());
  } catch (const ScratchFull& error) {
    return fail(words, stop, kExitUnavailable, error.what());
  } catch (const std::bad_alloc&) {
    return fail(words, stop, kExitUnavailable,
                "not enough memory: close other programs or use a smaller image");
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) {
      return fail(words, stop, kExitFault, std::string("internal error: ") + error.what());
    }
    return fail(words, stop, kExitUnavailable,
                "the system allows no more threads: raise the limit on processes (ulimit -u)");
  } catch (const std::exception& error) {
    return fail(words, stop, kExitFault, std::string("internal error: ") + error.what());
  }
}

}  // namespace

int run_program(std::span<const std::string> words, const std::stop_token& stop) {
  const int code = run_and_tell(words, stop);
  leave_process_group(code);
  return code;
}

void print_json(const nlohmann::ordered_json& json) {
  print(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_failure(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "seedwave-cli: %s\n", message.c_str());
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

}  // namespace seedwave::cli
