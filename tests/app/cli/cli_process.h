// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

namespace seedwave::test {

/// The outcome of a call of seedwave-cli.
struct CliOutcome {
  int code = -1;
  QByteArray out;
  QByteArray err;

  /// Parses standard output, which must be one JSON object and nothing else; empty if it is not.
  [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

inline constexpr int kCliTimeoutMs = 300'000;

/// Runs a program to its end. The environment has a locale with a decimal comma, and seedwave-cli
/// is the one of this build.
inline CliOutcome run_program(const QString& program, const QStringList& arguments,
                              const QString& folder = {}) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  const QString programs = QFileInfo(QStringLiteral(SEEDWAVE_CLI)).absolutePath();
  environment.insert("PATH", programs + ':' + environment.value("PATH"));
  environment.insert("LC_ALL", "de_DE.UTF-8");
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(folder);
  process.start(program, arguments);
  if (!process.waitForFinished(kCliTimeoutMs)) return {};
  const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  return {code, process.readAllStandardOutput(), process.readAllStandardError()};
}

inline CliOutcome run_cli(const QStringList& arguments) {
  return run_program(SEEDWAVE_CLI, arguments);
}

/// Runs a command in a shell, as people paste it.
inline CliOutcome run_pasted(const QString& command, const QString& folder = {}) {
  return run_program("/bin/sh", {"-c", command}, folder);
}

}  // namespace seedwave::test
