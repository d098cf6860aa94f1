// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/about_dialog.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QMessageBox>
#include <QSysInfo>

#include <thread>

namespace seedwave::ui {

namespace {

QString text(const char* source) {
  return QCoreApplication::translate("About", source);
}

QString devices(const OperationTable& table) {
  QStringList names;
  for (const DeviceInfo& device : table.devices())
    names << QString::fromStdString(device.name);
  return names.isEmpty() ? text("no GPU (%1)").arg(QString::fromStdString(table.why_no_device()))
                         : names.join(QStringLiteral(", "));
}

}  // namespace

void show_about(const OperationTable& table, QWidget* parent) {
  QMessageBox box(parent);
  box.setWindowTitle(text("About Seedwave"));
  box.setIconPixmap(QCoreApplication::instance()->property("icon").value<QPixmap>());
  box.setTextFormat(Qt::RichText);
  box.setTextInteractionFlags(Qt::TextBrowserInteraction);
  box.setText(text("<h2>Seedwave %1</h2>"
                   "<p>Interactive segmentation by fuzzy connectedness.</p>"
                   "<p><b>For research, not for diagnosis.</b></p>")
                  .arg(QCoreApplication::applicationVersion()));
  box.setInformativeText(
      text("Apache License 2.0. Built on Qt %1 (LGPL 3, linked dynamically), VTK and DCMTK (BSD), "
           "OpenJPEG (BSD), oneTBB (Apache 2.0); their licence texts are in share/doc.\n\n"
           "%2, %3 threads, %4")
          .arg(QLibraryInfo::version().toString(), QSysInfo::prettyProductName())
          .arg(std::thread::hardware_concurrency())
          .arg(devices(table)));
  box.exec();
}

}  // namespace seedwave::ui
