#pragma once

#include <QString>
#include <QStringList>
#include <string_view>

namespace clusterloom {

// Texts of the engine that the window shows again and again: the options of a strategy and the
// stages of long calls. The engine has no Qt, so they are listed in engine_words.cpp for lupdate.
// Messages of errors are English in every language.

/// The text in the language of the window; as it is where it is not listed.
QString engineText(std::string_view english);

/// Such a text of several phrases, as "tile, cell order, 2 threads per point": what describes a
/// strategy or a backend. Phrases that are not listed stay as they are.
QString engineList(std::string_view english);

/// The texts that are listed.
QStringList engineTexts();

}  // namespace clusterloom
