// The extension module clusterloom._engine: the engine for the Python package beside it, which
// checks and documents the calls. Start reading here.
#include "app/python/module.h"

#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "engine/join/strategy_options.h"
#include "engine/version.h"

namespace clusterloom::python {

namespace {

/// The options of a strategy by their Python names, with what is legal: {"pattern": "full, …"}.
py::dict strategyChoices() {
  py::dict choices;
  for (const StrategyOption& option : strategyOptions()) {
    std::string name = option.name;
    for (char& letter : name)
      if (letter == '-') letter = '_';
    choices[py::str(name)] = choicesOf(option);
  }
  return choices;
}

}  // namespace

}  // namespace clusterloom::python

PYBIND11_MODULE(_engine, module) {
  using namespace clusterloom;
  module.attr("__version__") = kVersion;
  module.def("strategy_choices", &python::strategyChoices);
  module.def("backends", [] {
    pybind11::list names;
    for (const std::string& name : availableBackends()) names.append(name);
    return names;
  });
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&python::endCalls));
  python::addMemory(module);
  python::addEngine(module);
  python::addHdbscan(module);
  python::addHierarchy(module);
  python::addPlans(module);
  python::addLabels(module);
  python::addValidity(module);
  python::addGraphs(module);
  python::addBlocks(module);
}
