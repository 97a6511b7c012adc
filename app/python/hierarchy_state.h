#pragma once

#include <pybind11/pybind11.h>

#include "engine/hierarchy/hierarchy.h"

namespace clusterloom::python {

/// A hierarchy as a dictionary of arrays, for pickle. A copy.
pybind11::dict stateOf(const Hierarchy& hierarchy);

/// The hierarchy of such a dictionary. ValueError where its arrays do not fit together.
Hierarchy hierarchyOf(const pybind11::dict& state);

}  // namespace clusterloom::python
