// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/png_format.h"

#include "core/base/error.h"
#include "core/io/pictures/picture.h"

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <png.h>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostPngBytes = std::int64_t{4} << 30;
/// The highest compression of deflate.
constexpr std::int64_t kBestDeflate = 1032;

/// libpng on bytes in memory. It reports errors by longjmp, so each step below runs inside run()
/// and holds nothing that needs a destructor.
class PngReader {
 public:
  PngReader(std::string bytes, std::string file, ReadAs as)
      : bytes_(std::move(bytes)), file_(std::move(file)), as_(as) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, warn);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  PictureHeader read_header() {
    run(&PngReader::header_step);
    if (drops_alpha_) header_.warnings.emplace_back("its transparency is ignored");
    check_picture_size(header_, static_cast<std::int64_t>(bytes_.size()), kBestDeflate, file_);
    return header_;
  }

  /// Called after read_header. Rows that cannot be read are black.
  std::vector<std::uint8_t> read_pixels() {
    const std::size_t row = row_bytes_;
    pixels_.resize(row * static_cast<std::size_t>(header_.height));
    rows_.resize(static_cast<std::size_t>(header_.height));
    for (std::size_t y = 0; y < rows_.size(); ++y)
      rows_[y] = pixels_.data() + y * row;
    if (!ends_well(&PngReader::pixels_step)) damage_ = message_.data();
    return std::move(pixels_);
  }
  /// Called after read_pixels. Returns the damage to the data in libpng's words, or "".
  [[nodiscard]] const std::string& damage() const noexcept { return damage_; }

 private:
  using Step = void (PngReader::*)();

  bool ends_well(Step step) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    (this->*step)();
    return true;
  }

  void run(Step step) {
    if (ends_well(step)) return;
    throw InputError(file_ + " is damaged: its PNG data cannot be read (" + message_.data() + ")");
  }

  void header_step() {
    png_set_read_fn(png_, this, take);
    png_read_info(png_, info_);
    header_.width = png_get_image_width(png_, info_);
    header_.height = png_get_image_height(png_, info_);
    const int color = png_get_color_type(png_, info_);
    const int depth = png_get_bit_depth(png_, info_);
    const bool transparent = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
    // Fewer than 8 bits: one byte per pixel, with the values as stored.
    png_set_packing(png_);
    if (color == PNG_COLOR_TYPE_PALETTE && as_ == ReadAs::Image) {
      png_set_palette_to_rgb(png_);
      if (transparent) png_set_strip_alpha(png_);
    }
    if ((color & PNG_COLOR_MASK_ALPHA) != 0) png_set_strip_alpha(png_);
    drops_alpha_ = transparent || (color & PNG_COLOR_MASK_ALPHA) != 0;
    if (depth == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
    (void)png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    header_.type = png_get_bit_depth(png_, info_) == 16 ? VoxelType::U16 : VoxelType::U8;
    header_.components = png_get_channels(png_, info_);
    row_bytes_ = png_get_rowbytes(png_, info_);
  }

  void pixels_step() {
    png_read_image(png_, rows_.data());
    png_read_end(png_, nullptr);
  }

  static void take(png_structp png, png_bytep to, std::size_t count) {
    auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > self.bytes_.size() - self.at_) png_error(png, "the file ends early");
    std::memcpy(to, self.bytes_.data() + self.at_, count);
    self.at_ += count;
  }

  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    auto& text = static_cast<PngReader*>(png_get_error_ptr(png))->message_;
    std::strncpy(text.data(), message, text.size() - 1);
    png_longjmp(png, 1);
  }

  /// Suppresses warnings, which libpng would print. Serious problems, such as a wrong checksum of
  /// the pixels, are errors.
  static void warn(png_structp /*png*/, png_const_charp /*message*/) {}

  std::string bytes_;
  std::string file_;
  ReadAs as_;
  std::size_t at_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  PictureHeader header_;
  bool drops_alpha_ = false;
  std::size_t row_bytes_ = 0;
  std::vector<std::uint8_t> pixels_;
  std::vector<png_bytep> rows_;
  std::array<char, 128> message_{};
  std::string damage_;
};

bool is_png(std::span<const std::byte> head) {
  return has_mark(head, "\x89PNG\r\n\x1a\n");
}

std::vector<Item> scan_png(const fs::path& file) {
  PngReader reader(read_text(file, kMostPngBytes), file.string(), ReadAs::Image);
  return {picture_item(file, "png", reader.read_header())};
}

LoadedImage load_png(const Item& item, const LoadOptions& options, Context& context) {
  const fs::path& file = item.files.at(0);
  PngReader reader(read_text(file, kMostPngBytes), file.string(), options.as);
  const PictureHeader header = reader.read_header();
  require_picture_memory(header, file.string());
  context.checkpoint(0.0);
  const Geometry grid = picture_grid(header.width, header.height, file.string());
  LoadedImage image{.volume = picture_volume(header, grid, reader.read_pixels()),
                    .hints = item.hints,
                    .warnings = header.warnings};
  if (!reader.damage().empty()) {
    report_damage(options.damaged, file.string(), reader.damage(), image.warnings);
  }
  return image;
}

}  // namespace

Format png_format() {
  return {.name = "png", .recognises = is_png, .scan = scan_png, .load = load_png};
}

}  // namespace seedwave::io
