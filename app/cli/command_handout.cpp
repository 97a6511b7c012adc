#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/outputs.h"
#include "app/cli/part_library.h"
#include "app/cli/value_options.h"

namespace clusterloom::cli {

namespace {

struct HandoutOptions {
  std::string lesson;
  std::string output;
  std::string laneView;
  std::string notebook;
  std::string language;
  int step = 0;
  bool slides = false;
};

constexpr const char* kHandoutFooter = R"(
LESSON is a lesson file, or the number or name of a lesson that comes with the program. A hand-out
has the steps of the lesson with their pictures, the questions, and the answers at the end. An HTML
file holds everything in it and loads nothing; slides go on by the arrow keys, Page Up and Page
Down. A lane view shows a warp of a GPU step by step, also by the arrow keys. The notebook has the
text of the lesson and its computations by the Python module clusterloom.

The language is that of the folder that the lesson file is in (de), else English. The pictures are
those of the window, which draws them: the program clusterloom must be installed beside this one.

Examples:
  clusterloom-cli handout 1 --output warps.html
  clusterloom-cli handout 4 --language de --output schlange.pdf
  clusterloom-cli handout my-lesson.json --output slides.html --slides
  clusterloom-cli handout 1 --lane-view lanes.html --step 3
  clusterloom-cli handout 8 --notebook every-eps.ipynb)";

constexpr const char* kWindow = "clusterloom";

Result<void> checkHandoutCall(const HandoutOptions& options) {
  if (options.output.empty() && options.laneView.empty() && options.notebook.empty())
    return badCall("Say what to write: --output, --lane-view or --notebook with a file.");
  if (options.slides && options.output.empty()) return badCall("--slides needs --output.");
  if (options.step > 0 && options.laneView.empty()) return badCall("--step needs --lane-view.");
  return checkOutputs({options.lesson}, {{"--output", options.output, {".html", ".pdf"}, false},
                                         {"--lane-view", options.laneView, {".html"}, false},
                                         {"--notebook", options.notebook, {".ipynb"}, false}});
}

/// Replaces this process by the program of the window.
Result<void> becomeWindow(std::vector<std::string> arguments) {
  std::error_code unknown;
  const std::string program = (programFolder() / kWindow).string();
  if (!std::filesystem::exists(program, unknown))
    return unavailable(
        "handout needs the program of the window, which draws the pictures, and there is no " +
        program + ". It is made by a build with -DCLUSTERLOOM_GUI=ON.");
  arguments.insert(arguments.begin(), program);
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  // That program has no stop request: a signal ends it at once, before any file is replaced.
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGHUP);
  pthread_sigmask(SIG_UNBLOCK, &stops, nullptr);
  execv(program.c_str(), words.data());
  return unavailable(program + " cannot be started: " + std::strerror(errno) + ".");
}

Result<void> runHandout(const HandoutOptions& options) {
  if (auto fine = checkHandoutCall(options); !fine) return fine;
  std::vector<std::string> arguments{"--handout=" + options.lesson};
  const auto pass = [&](const char* name, const std::string& value) {
    if (!value.empty()) arguments.push_back(std::string(name) + "=" + value);
  };
  pass("--output", options.output);
  pass("--lane-view", options.laneView);
  pass("--notebook", options.notebook);
  pass("--language", options.language);
  if (options.step > 0) pass("--step", std::to_string(options.step));
  if (options.slides) arguments.emplace_back("--slides");
  return becomeWindow(std::move(arguments));
}

}  // namespace

Command addHandoutCommand(CLI::App& program) {
  auto options = std::make_shared<HandoutOptions>();
  CLI::App* parser = program.add_subcommand(
      "handout", "Write a lesson as a hand-out, slides, a lane view or a notebook");
  parser->footer(kHandoutFooter);
  addPathOption(*parser, "LESSON", options->lesson,
                "A lesson file, or 1, 2, … for those of the program")
      ->required();
  addOutputOption(*parser, "--output", options->output, "The hand-out (.html .pdf)");
  parser->add_flag("--slides", options->slides, "One step a page in the hand-out");
  addOutputOption(*parser, "--lane-view", options->laneView,
                  "The warp of a step, lane by lane and step by step\n(.html)");
  addIntegerOption(*parser, "--step", options->step, 1, 1000,
                   "The step of the lane view, from 1 (default: the first\nthat picks a warp)")
      ->type_name("N");
  addOutputOption(*parser, "--notebook", options->notebook,
                  "The computations as a notebook for Python (.ipynb)");
  addTextOption(
      *parser, "--language",
      [target = options.get()](const std::string& code) -> Result<void> {
        if (code != "en" && code != "de")
          return badCall("--language takes en or de, not " + quotedText(code) + ".");
        target->language = code;
        return {};
      },
      "en or de (default: by the folder of the lesson)")
      ->type_name("CODE");
  return {parser, [options](const Task&) { return runHandout(*options); }};
}

}  // namespace clusterloom::cli
