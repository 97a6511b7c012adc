// Runs a harness without libFuzzer: first every file of the corpus, then seeded changes of them:
// CLUSTERLOOM_FUZZ_INPUTS of them, or for CLUSTERLOOM_FUZZ_SECONDS (600). NAME is that of the file
// for which a reader takes its input. Needs nothing but the corpus: programs and corpora may be
// copied to another machine. An input that crashes is written to fuzz-crash-NAME in the working
// folder.
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

// More processor time than this for inputs of a few KiB counts as a hang. A busy machine, or one on
// which the program was stopped for a while, is none.
constexpr int kMostSecondsPerInput = 5;
constexpr std::size_t kMostBytes = 8192;

const Bytes* current = nullptr;

void saveCurrent() {
  if (current == nullptr) return;
  std::string path = std::string("fuzz-crash-") + fuzzedName;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  const ssize_t put = ::write(file, current->data(), current->size());
  ::close(file);
  std::fprintf(stderr, "the input (%zd bytes) is in %s\n", put, path.c_str());
  current = nullptr;
}

void onSignal(int signal) {
  saveCurrent();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void onTimeout(int) {
  std::fprintf(stderr, "an input took more than %d s\n", kMostSecondsPerInput);
  saveCurrent();
  std::_Exit(1);
}

void run(const Bytes& input) {
  current = &input;
  const itimerval limit{{}, {kMostSecondsPerInput, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  current = nullptr;
}

/// Changes an input in one of the ways that files go wrong.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  Bytes mutated(const std::vector<Bytes>& corpus) {
    Bytes bytes = corpus[below(corpus.size())];
    for (std::size_t times = 1 + below(4); times > 0; --times) mutate(bytes, corpus);
    if (bytes.size() > kMostBytes) bytes.resize(kMostBytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(random_() % bound);
  }
  Bytes::iterator somewhere(Bytes& bytes) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
  }

  void mutate(Bytes& bytes, const std::vector<Bytes>& corpus) {
    static const std::array<std::string, 32> words{"nan",
                                                   "-inf",
                                                   "1e999",
                                                   "",
                                                   "0",
                                                   "-1",
                                                   "18446744073709551615",
                                                   "9999999999",
                                                   "\n",
                                                   "\r\n",
                                                   "\"",
                                                   "\"\"",
                                                   ",",
                                                   ";",
                                                   " ",
                                                   "\t",
                                                   "#",
                                                   "1,5",
                                                   "property list uchar int l\n",
                                                   "element vertex 0\n",
                                                   "COUNT",
                                                   "(1,)",
                                                   "True",
                                                   "null",
                                                   "[]",
                                                   "{}",
                                                   "[",
                                                   "}",
                                                   "\\u0000",
                                                   "--",
                                                   "=",
                                                   "x"};
    switch (below(9)) {
      case 0:
        if (!bytes.empty()) bytes[below(bytes.size())] ^= static_cast<std::uint8_t>(1u << below(8));
        break;
      case 1:
        if (!bytes.empty()) bytes[below(bytes.size())] = static_cast<std::uint8_t>(random_());
        break;
      case 2: {  // a number of 1 to 8 bytes that is an extreme of its kind
        const std::array<std::uint64_t, 6> extremes{
            0, 1, 0x7f, 0x7fffffff, ~std::uint64_t{0}, std::uint64_t{1} << 63};
        std::uint64_t value = extremes[below(extremes.size())];
        const std::size_t width = std::size_t{1} << below(4);
        if (bytes.size() < width) break;
        std::memcpy(bytes.data() + below(bytes.size() - width + 1), &value, width);
        break;
      }
      case 3:  // cut off
        bytes.resize(below(bytes.size() + 1));
        break;
      case 4: {  // take out
        const auto first = somewhere(bytes);
        bytes.erase(
            first,
            first +
                static_cast<std::ptrdiff_t>(below(
                    std::min<std::size_t>(64, static_cast<std::size_t>(bytes.end() - first)) + 1)));
        break;
      }
      case 5: {  // repeat
        const std::size_t first = below(bytes.size());
        const Bytes part(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                         bytes.begin() + static_cast<std::ptrdiff_t>(
                                             std::min(bytes.size(), first + 1 + below(200))));
        bytes.insert(somewhere(bytes), part.begin(), part.end());
        break;
      }
      case 6: {  // put in, or over, a word
        const std::string& word = words[below(words.size())];
        const auto at = somewhere(bytes);
        if (below(2) == 0)
          bytes.insert(at, word.begin(), word.end());
        else
          std::copy_n(word.begin(),
                      std::min(word.size(), static_cast<std::size_t>(bytes.end() - at)), at);
        break;
      }
      case 7: {  // another file's end
        const Bytes& other = corpus[below(corpus.size())];
        bytes.resize(below(bytes.size() + 1));
        bytes.insert(bytes.end(),
                     other.begin() + static_cast<std::ptrdiff_t>(below(other.size() + 1)),
                     other.end());
        break;
      }
      default: {  // another number in the place of one
        const auto digit = [](std::uint8_t c) { return c >= '0' && c <= '9'; };
        const auto first = std::find_if(somewhere(bytes), bytes.end(), digit);
        const auto last = std::find_if_not(first, bytes.end(), digit);
        const std::string number = std::to_string(random_() >> below(64));
        bytes.insert(bytes.erase(first, last), number.begin(), number.end());
        break;
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "%s CORPUS [NAME]\n", argv[0]);
    return 2;
  }
  if (argc == 3) fuzzedName = argv[2];
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1], error))
    if (entry.is_regular_file()) files.push_back(entry.path());
  if (error || files.empty()) {
    std::fprintf(stderr, "there is no corpus in %s\n", argv[1]);
    return 2;
  }
  std::sort(files.begin(), files.end());
  std::signal(SIGPROF, onTimeout);
  for (const int signal : {SIGABRT, SIGTERM}) std::signal(signal, onSignal);
#if defined(__SANITIZE_ADDRESS__)
  // Its own handlers of the other signals print where the program stood.
  __asan_set_death_callback(saveCurrent);
#else
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, onSignal);
#endif

  std::vector<Bytes> corpus;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    run(corpus.back());
  }
  const char* const inputsText = std::getenv("CLUSTERLOOM_FUZZ_INPUTS");
  const char* const secondsText = std::getenv("CLUSTERLOOM_FUZZ_SECONDS");
  const bool isCounted = inputsText != nullptr && secondsText == nullptr;
  const std::uint64_t inputs = isCounted ? std::strtoull(inputsText, nullptr, 10) : 0;
  const double most = secondsText != nullptr ? std::atof(secondsText) : 600;
  const char* const seedText = std::getenv("CLUSTERLOOM_FUZZ_SEED");
  const std::uint64_t seed = seedText != nullptr ? std::strtoull(seedText, nullptr, 10) : 1;
  Mutator mutator(seed);
  const auto start = Clock::now();
  std::uint64_t executions = 0;
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  while (isCounted ? executions < inputs : seconds() < most) {
    run(mutator.mutated(corpus));
    ++executions;
  }
  std::printf("%s: %zu corpus files, then %llu changed ones in %g s (seed %llu): no findings\n",
              fuzzedName, corpus.size(), static_cast<unsigned long long>(executions), seconds(),
              static_cast<unsigned long long>(seed));
  return 0;
}
