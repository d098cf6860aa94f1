// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

namespace seedwave::test {

/// What a call of seedwave-cli left behind.
struct CliOutcome {
  int code = -1;
  QByteArray out;
  QByteArray err;

  /// Standard output, which must be one JSON object and nothing else; empty where it is not.
  [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

inline constexpr int kCliTimeoutMs = 60'000;

/// Runs the program that this build made, in an environment whose locale has a decimal comma.
inline CliOutcome run_cli(const QStringList& arguments) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("LC_ALL", "de_DE.UTF-8");
  process.setProcessEnvironment(environment);
  process.start(SEEDWAVE_CLI, arguments);
  if (!process.waitForFinished(kCliTimeoutMs)) return {};
  const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  return {code, process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace seedwave::test
