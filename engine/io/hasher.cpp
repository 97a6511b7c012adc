#include "engine/io/hasher.h"

#include <xxhash.h>

#include <new>

namespace clusterloom {

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(xxh); }
};

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::~Hasher() = default;

void Hasher::add(const char* bytes, std::size_t count) {
  if (count > 0) XXH3_128bits_update(state_->xxh, bytes, count);
}

std::string Hasher::text() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_->xxh));
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "xxh3:";
  for (const unsigned char byte : canonical.digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace clusterloom
