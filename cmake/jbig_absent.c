// SPDX-License-Identifier: Apache-2.0
// Stands in for libjbig in the relocatable folder. libtiff links libjbig for one rare compression
// of fax pages, and libjbig is GPL, which Seedwave does not ship. With this library a TIFF that is
// JBIG-compressed is refused with an error, and every other one is read as before.
#include <stddef.h>

// The codes of libjbig's interface: 0 is success, anything else an error.
enum { kRefused = 1 };

struct jbg_dec_state;
struct jbg_enc_state;

void jbg_dec_init(struct jbg_dec_state* state) { (void)state; }
void jbg_dec_free(struct jbg_dec_state* state) { (void)state; }
unsigned char* jbg_dec_getimage(const struct jbg_dec_state* state, int plane) {
  (void)state, (void)plane;
  return NULL;
}
unsigned long jbg_dec_getsize(const struct jbg_dec_state* state) {
  (void)state;
  return 0;
}
int jbg_dec_in(struct jbg_dec_state* state, unsigned char* bytes, size_t length, size_t* used) {
  (void)state, (void)bytes, (void)length;
  if (used) *used = 0;
  return kRefused;
}
const char* jbg_strerror(int code) {
  (void)code;
  return "JBIG compression is not part of this program";
}
int jbg_newlen(unsigned char* bytes, size_t length) {
  (void)bytes, (void)length;
  return kRefused;
}

void jbg_enc_init(struct jbg_enc_state* state, unsigned long width, unsigned long height,
                  int planes, unsigned char** bitmaps,
                  void (*write)(unsigned char*, size_t, void*), void* file) {
  (void)state, (void)width, (void)height, (void)planes, (void)bitmaps, (void)write, (void)file;
}
void jbg_enc_out(struct jbg_enc_state* state) { (void)state; }
void jbg_enc_free(struct jbg_enc_state* state) { (void)state; }
