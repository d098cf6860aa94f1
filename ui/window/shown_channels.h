// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/background_task.h"
#include "ui/models/channel_model.h"
#include "ui/models/workbench.h"
#include "ui/views/profile_colors.h"
#include "ui/window/view_grid.h"

#include <QObject>

#include <map>
#include <memory>

class QMenu;

namespace seedwave::ui {

/// Chooses what is seen of an image of several channels: of a colour image its colours or one
/// channel of them, of a slide with channels any of these at once; and whether colours are those of
/// the scanner's profile. What operations read is another choice.
class ShownChannels : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  ShownChannels(Actions& actions, const Workbench& workbench, ViewGrid& views, QWidget* window);

  [[nodiscard]] ChannelModel& model() noexcept { return model_; }
  /// Returns the menu of the channels; its action is hidden for images of one channel.
  [[nodiscard]] QMenu& menu() noexcept { return *menu_; }
  /// Chooses by number: 0 for the colours or all channels, from 1 on a channel; the same again
  /// takes it back. Returns false for an image of one channel.
  bool choose(int number);
  /// Shows a channel of a colour image in place of its colours; "" for the colours.
  void show_channel(const std::string& channel);
  /// Sets the brightness of a channel from its values.
  void set_automatic_window(int channel);

 signals:
  /// Another image is open. `several`: a slide with several channels.
  void followed(bool several);
  /// A channel cannot be read, and why.
  void said(const QString& text);

 private:
  [[nodiscard]] bool has_colours() const;
  void follow();
  /// Takes the looks of the session, if it has as many.
  void take_saved(std::vector<ChannelLook>& looks) const;
  void show_look();
  void take_window();
  void change(int channel);
  /// Reads the next channel that is shown but not there yet.
  void read_next();
  void fill_menu();

  Actions& actions_;
  const Workbench& workbench_;
  ViewGrid& views_;
  ChannelModel model_;
  QMenu* menu_ = nullptr;
  /// Null if the image has none, or one that changes nothing.
  std::shared_ptr<const ProfileColors> profile_;
  /// The windows that the values of the channels give, of those that were read.
  std::map<int, GreyWindow> automatic_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
