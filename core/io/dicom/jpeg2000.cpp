// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/codecs.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <openjpeg.h>

namespace seedwave::io::dicom {
namespace {

/// The stream that OpenJPEG's callbacks read.
struct Source {
  std::span<const std::uint8_t> bytes;
  std::size_t at = 0;
};

OPJ_SIZE_T read_source(void* target, OPJ_SIZE_T count, void* user) {
  auto& source = *static_cast<Source*>(user);
  const std::size_t got = std::min<std::size_t>(count, source.bytes.size() - source.at);
  if (got == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(target, source.bytes.data() + source.at, got);
  source.at += got;
  return got;
}

OPJ_OFF_T skip_source(OPJ_OFF_T count, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (count < 0) return -1;
  const std::size_t got =
      std::min(static_cast<std::size_t>(count), source.bytes.size() - source.at);
  source.at += got;
  return static_cast<OPJ_OFF_T>(got);
}

OPJ_BOOL seek_source(OPJ_OFF_T to, void* user) {
  auto& source = *static_cast<Source*>(user);
  if (to < 0 || static_cast<std::size_t>(to) > source.bytes.size()) return OPJ_FALSE;
  source.at = static_cast<std::size_t>(to);
  return OPJ_TRUE;
}

void keep_message(const char* text, void* user) {
  auto& kept = *static_cast<std::string*>(user);
  if (kept.empty()) kept = text;
  while (!kept.empty() && (kept.back() == '\n' || kept.back() == '.'))
    kept.pop_back();
}
void drop_message(const char*, void*) {}

struct DeleteStream {
  void operator()(opj_stream_t* stream) const { opj_stream_destroy(stream); }
};
struct DeleteCodec {
  void operator()(opj_codec_t* codec) const { opj_destroy_codec(codec); }
};
struct DeleteImage {
  void operator()(opj_image_t* image) const { opj_image_destroy(image); }
};
using Image = std::unique_ptr<opj_image_t, DeleteImage>;

/// DICOM holds bare codestreams, but some writers wrap them as JP2 files.
OPJ_CODEC_FORMAT format_of(std::span<const std::uint8_t> stream) {
  static constexpr std::uint8_t kBox[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '};
  const bool boxed =
      stream.size() > sizeof kBox && std::equal(kBox, kBox + sizeof kBox, stream.begin());
  return boxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K;
}

void check(const opj_image_t& image, const PixelLayout& layout) {
  bool fits = image.numcomps == static_cast<OPJ_UINT32>(layout.samples) && image.x1 > image.x0 &&
              image.y1 > image.y0 &&
              image.x1 - image.x0 == static_cast<OPJ_UINT32>(layout.columns) &&
              image.y1 - image.y0 == static_cast<OPJ_UINT32>(layout.rows);
  for (OPJ_UINT32 i = 0; fits && i < image.numcomps; ++i) {
    const opj_image_comp_t& component = image.comps[i];
    fits = component.dx == 1 && component.dy == 1 && component.prec >= 1 &&
           component.prec <= static_cast<OPJ_UINT32>(layout.bits_allocated);
  }
  if (!fits) {
    throw InputError("the compressed image (" + std::to_string(image.x1 - image.x0) + " x " +
                     std::to_string(image.y1 - image.y0) + ", " + std::to_string(image.numcomps) +
                     " components) does not match its header");
  }
}

}  // namespace

std::vector<std::int32_t> decode_jpeg2000(std::span<const std::uint8_t> stream,
                                          const PixelLayout& layout) {
  std::string message;
  const auto damaged = [&] {
    throw InputError("the compressed image is damaged" + (message.empty() ? "" : ": " + message));
  };
  const std::unique_ptr<opj_codec_t, DeleteCodec> codec(opj_create_decompress(format_of(stream)));
  opj_set_error_handler(codec.get(), keep_message, &message);
  opj_set_warning_handler(codec.get(), drop_message, nullptr);
  opj_set_info_handler(codec.get(), drop_message, nullptr);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (!opj_setup_decoder(codec.get(), &parameters)) damaged();
  opj_decoder_set_strict_mode(codec.get(), OPJ_TRUE);

  Source source{stream, 0};
  const std::unique_ptr<opj_stream_t, DeleteStream> input(
      opj_stream_create(std::max<std::size_t>(stream.size(), 1), OPJ_TRUE));
  opj_stream_set_user_data(input.get(), &source, nullptr);
  opj_stream_set_user_data_length(input.get(), stream.size());
  opj_stream_set_read_function(input.get(), read_source);
  opj_stream_set_skip_function(input.get(), skip_source);
  opj_stream_set_seek_function(input.get(), seek_source);

  opj_image_t* opened = nullptr;
  const bool has_header = opj_read_header(input.get(), codec.get(), &opened) == OPJ_TRUE;
  const Image image(opened);
  if (!has_header || !image) damaged();
  check(*image, layout);
  if (!opj_decode(codec.get(), input.get(), image.get()) ||
      !opj_end_decompress(codec.get(), input.get())) {
    damaged();
  }
  std::vector<std::int32_t> values(static_cast<std::size_t>(layout.values()));
  for (int c = 0; c < layout.samples; ++c) {
    const opj_image_comp_t& component = image->comps[c];
    if (component.data == nullptr || component.w != static_cast<OPJ_UINT32>(layout.columns) ||
        component.h != static_cast<OPJ_UINT32>(layout.rows)) {
      damaged();
    }
    for (std::int64_t i = 0; i < layout.pixels(); ++i) {
      values[static_cast<std::size_t>(i * layout.samples + c)] = component.data[i];
    }
  }
  return values;
}

}  // namespace seedwave::io::dicom
