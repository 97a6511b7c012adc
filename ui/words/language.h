#pragma once

#include <QString>
#include <vector>

namespace clusterloom {

// The language of texts in the window. Texts are English in the source and translated by
// resources/translations/clusterloom_CODE.ts; the pages of the guide and the lessons have a
// translated file each, in a folder CODE beside the English ones. Numbers: see numbers.h. Files,
// command lines and messages of the engine are the same in every language.

/// A language that the program can show.
struct Language {
  QString code;  ///< "en", "de"
  QString name;  ///< in itself: "Deutsch"
};

/// English first, then the translations that are compiled in.
const std::vector<Language>& languages();

/// The first language in which the system shows texts and that `languages` lists; "en" for none.
QString systemLanguage();

/// The code that the user chose under View ▸ Language; empty: that of the system.
QString chosenLanguage();
/// Keeps the choice in the settings, for the next start.
void chooseLanguage(const QString& code);

/// Shows all texts that are asked for from now on in this language, those of Qt included; "en" for
/// a code that `languages` does not list. Call after the QApplication is made and before the first
/// widget is.
void setLanguage(const QString& code);
/// The code given to setLanguage; "en" before.
QString language();

/// The file `folder`/CODE/`name` where it exists in this language, else `folder`/`name`.
QString translatedFile(const QString& folder, const QString& name,
                       const QString& code = language());

}  // namespace clusterloom
