#pragma once

#include <string>
#include <vector>

#include "engine/join/strategy.h"

namespace clusterloom::cli {

/// What a number of the papers is.
enum class PaperFigure {
  Wee,         ///< warp execution efficiency of a strategy, a share from 0 to 1
  Candidates,  ///< points that the grid compares the query points with, by the full pattern
};

/// One published number.
struct PaperValue {
  const char* dataset;  ///< a name for paperCloud
  double eps;           ///< in the units of the data
  const char* strategy;
  double published;
};

/// A table or figure of a paper.
struct PaperItem {
  const char* id;     ///< "lbjoin-5": paper and number
  const char* title;  ///< what it shows
  const char* why;    ///< why it cannot be made; nullptr: it can
  PaperFigure figure = PaperFigure::Wee;
  std::vector<PaperValue> values = {};
};

struct Paper {
  const char* id;
  const char* title;  ///< short reference and title
  std::vector<PaperItem> items;
};

/// The five papers with all of their tables and figures that have numbers.
const std::vector<Paper>& papers();

/// The strategy of a name in PaperValue::strategy.
Strategy strategyNamed(const std::string& name);

}  // namespace clusterloom::cli
