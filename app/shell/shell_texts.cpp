#include "app/shell/completions.h"
#include "app/shell/program_text.h"

namespace clusterloom {

const std::vector<ShellText>& shellTexts() {
  static const std::vector<ShellText> texts = {
      {"bash-completion", "Print the completion of this program for bash", bashCompletion},
      {"zsh-completion", "Print the completion of this program for zsh", zshCompletion},
      {"fish-completion", "Print the completion of this program for fish", fishCompletion},
      {"man-page", "Print the manual page of this program", manPage},
  };
  return texts;
}

}  // namespace clusterloom
