// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/jpeg_format.h"

#include "core/base/error.h"
#include "core/io/pictures/picture.h"

#include <algorithm>
#include <array>
#include <csetjmp>
// jpeglib.h needs FILE to be known.
#include <cstdio>
#include <jpeglib.h>
// jerror.h needs jpeglib.h: the codes of the warnings.
#include <jerror.h>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostJpegBytes = std::int64_t{1} << 30;
/// A progressive block of 64 pixels takes at least one bit; colours may be subsampled both ways.
constexpr std::int64_t kMostJpegPerByte = 4096;
/// Real images have some ten scans; a small file with thousands would take hours to decode.
constexpr int kMostScans = 200;

/// libjpeg on bytes in memory. It reports errors by longjmp, so each step below runs inside run()
/// and holds nothing that needs a destructor.
class JpegReader {
 public:
  JpegReader(std::string bytes, std::string file)
      : bytes_(std::move(bytes)), file_(std::move(file)) {
    jpeg_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = fail;
    errors_.base.emit_message = take_warning;
    errors_.base.output_message = say_nothing;
    jpeg_.client_data = this;
    run(&JpegReader::create_step);
  }
  ~JpegReader() { jpeg_destroy_decompress(&jpeg_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  PictureHeader read_header() {
    run(&JpegReader::header_step);
    if (jpeg_.jpeg_color_space == JCS_CMYK || jpeg_.jpeg_color_space == JCS_YCCK) {
      throw InputError(file_ + " holds printing colours (CMYK): save it as RGB");
    }
    header_.width = jpeg_.image_width;
    header_.height = jpeg_.image_height;
    header_.components = jpeg_.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
    check_picture_size(header_, static_cast<std::int64_t>(bytes_.size()), kMostJpegPerByte, file_);
    return header_;
  }

  /// Called after read_header. Rows that the file does not hold are gray, or black after an error.
  std::vector<std::uint8_t> read_pixels(Context& context) {
    context_ = &context;
    pixels_.resize(static_cast<std::size_t>(header_.width * header_.height * header_.components));
    if (!ends_well(&JpegReader::pixels_step)) {
      if (context.stop_requested()) throw Cancelled();
      if (has_too_many_scans_) refuse();
      damage_ = message_.data();
    }
    return std::move(pixels_);
  }
  /// Called after read_pixels. Returns the damage to the data in libjpeg's words, or "".
  [[nodiscard]] const std::string& damage() const noexcept { return damage_; }

 private:
  using Step = void (JpegReader::*)();
  struct Errors {
    jpeg_error_mgr base{};
    std::jmp_buf back{};
  };
  struct Progress {
    jpeg_progress_mgr base{};
    JpegReader* reader = nullptr;
  };

  bool ends_well(Step step) {
    if (setjmp(errors_.back) != 0) return false;
    (this->*step)();
    return true;
  }

  void run(Step step) {
    if (!ends_well(step)) refuse();
  }

  [[noreturn]] void refuse() const {
    throw InputError(file_ + " is damaged: its JPEG data cannot be read (" + message_.data() + ")");
  }

  void create_step() {
    jpeg_create_decompress(&jpeg_);
    progress_.base.progress_monitor = watch;
    progress_.reader = this;
  }

  void header_step() {
    jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
    jpeg_read_header(&jpeg_, TRUE);
  }

  void pixels_step() {
    jpeg_.progress = &progress_.base;
    jpeg_.out_color_space = header_.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&jpeg_);
    const auto row = static_cast<std::size_t>(header_.width * header_.components);
    while (jpeg_.output_scanline < jpeg_.output_height) {
      JSAMPROW to = pixels_.data() + row * jpeg_.output_scanline;
      (void)jpeg_read_scanlines(&jpeg_, &to, 1);
    }
    jpeg_finish_decompress(&jpeg_);
  }

  static JpegReader& self(j_common_ptr jpeg) {
    return *static_cast<JpegReader*>(jpeg->client_data);
  }

  [[noreturn]] static void fail(j_common_ptr jpeg) {
    JpegReader& reader = self(jpeg);
    std::array<char, JMSG_LENGTH_MAX> text{};
    jpeg->err->format_message(jpeg, text.data());
    std::copy_n(text.begin(), reader.message_.size() - 1, reader.message_.begin());
    std::longjmp(reader.errors_.back, 1);
  }
  static void say_nothing(j_common_ptr /*jpeg*/) {}

  /// Keeps the first warning that reports damage. libjpeg continues, with gray for missing data.
  static void take_warning(j_common_ptr jpeg, int level) {
    if (level >= 0 || !is_damage(*jpeg->err)) return;
    JpegReader& reader = self(jpeg);
    if (!reader.damage_.empty()) return;
    std::array<char, JMSG_LENGTH_MAX> text{};
    jpeg->err->format_message(jpeg, text.data());
    reader.damage_ = text.data();
  }

  static bool is_damage(const jpeg_error_mgr& warning) {
    constexpr int kEndOfImage = 0xd9;
    switch (warning.msg_code) {
      case JWRN_JFIF_MAJOR:  // both are about the header's version of itself
      case JWRN_ADOBE_XFORM:
        return false;
      case JWRN_EXTRANEOUS_DATA:  // some cameras fill up to a block's end
        return warning.msg_parm.i[1] != kEndOfImage;
      default:
        return true;
    }
  }

  /// Called between rows and scans.
  static void watch(j_common_ptr jpeg) {
    JpegReader& reader = self(jpeg);
    if (reader.jpeg_.input_scan_number <= kMostScans && !reader.context_->stop_requested()) return;
    reader.has_too_many_scans_ = !reader.context_->stop_requested();
    constexpr std::string_view kTooMany = "it has too many scans";
    std::copy(kTooMany.begin(), kTooMany.end(), reader.message_.begin());
    std::longjmp(reader.errors_.back, 1);
  }

  std::string bytes_;
  std::string file_;
  Errors errors_;
  Progress progress_;
  jpeg_decompress_struct jpeg_{};
  PictureHeader header_;
  Context* context_ = nullptr;
  std::vector<std::uint8_t> pixels_;
  std::array<char, 160> message_{};
  std::string damage_;
  bool has_too_many_scans_ = false;
};

bool is_jpeg(std::span<const std::byte> head) {
  return has_mark(head, "\xff\xd8\xff");
}

std::vector<Item> scan_jpeg(const fs::path& file) {
  JpegReader reader(read_text(file, kMostJpegBytes), file.string());
  return {picture_item(file, "jpeg", reader.read_header())};
}

LoadedImage load_jpeg(const Item& item, const LoadOptions& options, Context& context) {
  const fs::path& file = item.files.at(0);
  JpegReader reader(read_text(file, kMostJpegBytes), file.string());
  const PictureHeader header = reader.read_header();
  require_picture_memory(header, file.string());
  const Geometry grid = picture_grid(header.width, header.height, file.string());
  LoadedImage image;
  image.volume = picture_volume(header, grid, reader.read_pixels(context));
  image.hints = item.hints;
  if (!reader.damage().empty()) {
    report_damage(options.damaged, file.string(), reader.damage(), image.warnings);
  }
  return image;
}

}  // namespace

Format jpeg_format() {
  return {.name = "jpeg", .recognises = is_jpeg, .scan = scan_jpeg, .load = load_jpeg};
}

}  // namespace seedwave::io
