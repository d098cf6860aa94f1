// SPDX-License-Identifier: Apache-2.0
#include "ui/models/window_presets.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

namespace seedwave::ui {

namespace {

/// The first key for windows named in the file; 1 to 7 are the presets for CT.
constexpr int kFirstFileKey = 8;
constexpr int kLastKey = 9;

QByteArray preset_file() {
  const QString own = QStandardPaths::locate(QStandardPaths::AppConfigLocation,
                                             QStringLiteral("window_presets.json"));
  for (const QString& name : {own, QStringLiteral(":/window_presets.json")}) {
    QFile file(name);
    if (!name.isEmpty() && file.open(QIODevice::ReadOnly)) return file.readAll();
  }
  return {};
}

}  // namespace

std::vector<WindowPreset> window_presets(const io::DisplayHints& hints) {
  std::vector<WindowPreset> presets;
  const QString modality = QString::fromStdString(hints.modality);
  const QJsonObject root = QJsonDocument::fromJson(preset_file()).object();
  for (const QJsonValue& value : root.value(QLatin1String("presets")).toArray()) {
    const QJsonObject preset = value.toObject();
    const double width = preset.value(QLatin1String("width")).toDouble();
    if (preset.value(QLatin1String("modality")).toString() != modality || width <= 0.0) continue;
    presets.push_back({preset.value(QLatin1String("name")).toString(),
                       {preset.value(QLatin1String("centre")).toDouble(), width},
                       preset.value(QLatin1String("key")).toInt()});
  }
  int key = kFirstFileKey;
  for (const io::WindowPreset& window : hints.windows) {
    presets.push_back({QString::fromStdString(window.name),
                       {window.centre, window.width},
                       key <= kLastKey ? key++ : 0});
  }
  return presets;
}

std::optional<GreyWindow> opening_window(const io::DisplayHints& hints) {
  if (hints.modality == "MR") return std::nullopt;
  if (!hints.windows.empty())
    return GreyWindow{hints.windows.front().centre, hints.windows.front().width};
  const std::vector<WindowPreset> presets = window_presets(hints);
  return presets.empty() ? std::nullopt : std::optional(presets.front().window);
}

}  // namespace seedwave::ui
