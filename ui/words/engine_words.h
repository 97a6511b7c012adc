#pragma once

#include <QString>
#include <string_view>

namespace clusterloom {

// Texts of the engine that the window shows again and again: the options of a strategy and the
// stages of long calls. They are marked where they stand (engine/core/translatable.h).
// Messages of errors are English in every language.

/// The text in the language of the window; unchanged where it has no translation.
QString engineText(std::string_view english);

/// Such a text of several phrases, as "tile, cell order, 2 threads per point": descriptions of
/// strategies and backends. Phrases without a translation are unchanged.
QString engineList(std::string_view english);

}  // namespace clusterloom
