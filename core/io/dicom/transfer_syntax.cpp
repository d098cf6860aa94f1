// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/transfer_syntax.h"

#include "core/base/error.h"

namespace seedwave::io::dicom {
namespace {

struct KnownSyntax {
  const char* uid;
  Compression compression;
};

constexpr KnownSyntax kKnownSyntaxes[] = {
    {"1.2.840.10008.1.2", Compression::None},           // implicit little endian
    {"1.2.840.10008.1.2.1", Compression::None},         // explicit little endian
    {"1.2.840.10008.1.2.1.99", Compression::None},      // deflated
    {"1.2.840.10008.1.2.2", Compression::None},         // explicit big endian
    {"1.2.840.10008.1.2.5", Compression::Rle},          //
    {"1.2.840.10008.1.2.4.50", Compression::Jpeg},      // baseline
    {"1.2.840.10008.1.2.4.51", Compression::Jpeg},      // extended
    {"1.2.840.10008.1.2.4.53", Compression::Jpeg},      // spectral selection, retired
    {"1.2.840.10008.1.2.4.55", Compression::Jpeg},      // progressive, retired
    {"1.2.840.10008.1.2.4.57", Compression::Jpeg},      // lossless, process 14
    {"1.2.840.10008.1.2.4.70", Compression::Jpeg},      // lossless, process 14, selection value 1
    {"1.2.840.10008.1.2.4.80", Compression::JpegLs},    // lossless
    {"1.2.840.10008.1.2.4.81", Compression::JpegLs},    // near lossless
    {"1.2.840.10008.1.2.4.90", Compression::Jpeg2000},  // lossless
    {"1.2.840.10008.1.2.4.91", Compression::Jpeg2000},  // lossy
};

}  // namespace

Compression compression_of(const std::string& transfer_syntax) {
  for (const KnownSyntax& known : kKnownSyntaxes) {
    if (transfer_syntax == known.uid) return known.compression;
  }
  throw InputError("compressed by an unsupported method (transfer syntax " + transfer_syntax + ")");
}

}  // namespace seedwave::io::dicom
