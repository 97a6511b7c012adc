"""Docstrings and the guide: what they show is what happens; the public names have types."""

import ast
import doctest
import inspect
import json
import os
import pathlib
import re
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

import clusterloom
from clusterloom import _engine, _joins

GUIDE = pathlib.Path(
    os.environ.get("CLUSTERLOOM_GUIDE", pathlib.Path(__file__).parents[2] / "resources" / "guide")
)
PACKAGE = pathlib.Path(clusterloom.__file__).parent


#: The files of the package with examples in docstrings.
WITH_EXAMPLES = [file.stem for file in PACKAGE.glob("_*.py") if ">>> " in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("module", sorted(WITH_EXAMPLES))
def test_examples_of_docstrings(module):
    found = doctest.testmod(import_module(f"clusterloom.{module}"))
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.parametrize("page", ["python", "embeddings"])
def test_examples_of_the_guide(page, tmp_path, monkeypatch):
    """The page's blocks run one after another, as in one notebook."""
    monkeypatch.chdir(tmp_path)
    text = (GUIDE / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        if "show(" in block:  # it waits for somebody
            ast.parse(block)
            continue
        if any(name in block and find_spec(name) is None for name in ("dask", "matplotlib", "tqdm", "sklearn")):
            continue
        # A value in a comment behind an expression is what the expression gives.
        for statement in ast.parse(block).body:
            source = ast.get_source_segment(block, statement)
            line = block.splitlines()[statement.end_lineno - 1]
            comment = line[statement.end_col_offset :].strip()
            if isinstance(statement, ast.Expr) and comment.startswith("# → "):
                assert str(eval(source, names)) == comment[4:], source
            else:
                exec(source, names)


@pytest.mark.parametrize("name", sorted(str(file.relative_to(GUIDE)) for file in GUIDE.rglob("python.ipynb")))
def test_the_notebook_of_the_guide(name):
    """Its cells run one after another; five of them draw."""
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")  # what other tests drew
    notebook = json.loads((GUIDE / name).read_text(encoding="utf-8"))
    names, drawn = {}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec("".join(cell["source"]), names)
            drawn += bool(pyplot.get_fignums())
            pyplot.close("all")
    assert drawn == 5
    assert names["model"].n_clusters_ == names["found"].n_clusters_ == 8


def test_everything_public_is_documented():
    for name in clusterloom.__all__:
        thing = getattr(clusterloom, name)
        if name == "__version__":
            assert re.match(r"\d+\.\d+\.\d+$", thing)
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and inspect.isfunction(value):
                    assert inspect.getdoc(value), f"{name}.{member}"


def test_the_package_names_what_it_has():
    """What is imported is public, and the table of the package has the functions and estimators."""
    public = set(clusterloom.__all__)
    imported = {name for name, value in vars(clusterloom).items() if not inspect.ismodule(value)}
    assert {name for name in imported if not name.startswith("_")} <= public | {"TYPE_CHECKING"}
    listed = set(re.findall(r"^`(\w+)` ", clusterloom.__doc__, re.MULTILINE))
    assert listed <= public
    called = {name for name in public if inspect.isfunction(getattr(clusterloom, name))}
    assert called <= listed


def test_everything_public_has_types():
    assert (PACKAGE / "py.typed").exists()
    for file in PACKAGE.glob("_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.name == "__getattr__":
                continue
            arguments = [*node.args.args, *node.args.kwonlyargs]
            missing = [a.arg for a in arguments if a.annotation is None and a.arg != "self"]
            assert not missing, f"{file.name}: {node.name}({', '.join(missing)})"
            assert node.returns is not None, f"{file.name}: {node.name}"


def assert_arguments(real, node):
    told = re.match(r"\w+\((.*)\) -> ", (real.__doc__ or "").strip())
    if told and "*" not in told[1] and "arg0" not in told[1]:
        names = re.findall(r"(?:^|, )(\w+): ", re.sub(r"\[[^\[\]]*\]|<[^<>]*>", "", told[1]))
        assert [a.arg for a in node.args.args] == names, node.name


def test_the_stub_names_what_the_extension_has():
    stub = ast.parse((PACKAGE / "_engine.pyi").read_text(encoding="utf-8"))
    declared = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            declared[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            declared[node.target.id] = set()
        elif isinstance(node, ast.ClassDef):
            declared[node.name] = {
                m.name for m in node.body if isinstance(m, ast.FunctionDef)
            } - {"__init__"}
    real = {name for name in dir(_engine) if not name.startswith("__") or name == "__version__"}
    assert set(declared) == real
    # The names of arguments, in order, which the extension tells in its documentation.
    for node in ast.walk(stub):
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.decorator_list:
                    assert_arguments(getattr(getattr(_engine, node.name), member.name), member)
        elif isinstance(node, ast.FunctionDef) and hasattr(_engine, node.name):
            assert_arguments(getattr(_engine, node.name), node)
    for name, members in declared.items():
        if members:
            has = {m for m in dir(getattr(_engine, name)) if not m.startswith("_")}
            assert members == has, name


def test_joins_have_a_type_for_each_output():
    """The overloads of the stub take what the function takes, and cover every output."""
    stub = ast.parse((PACKAGE / "_joins.pyi").read_text(encoding="utf-8"))
    types = {}
    choices = [
        field.target.id
        for node in stub.body
        if isinstance(node, ast.ClassDef) and node.name == "_Choices"
        for field in node.body
    ]
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            real = inspect.signature(getattr(_joins, node.name)).parameters
            named = [a.arg for a in [*node.args.args, *node.args.kwonlyargs]]
            if node.args.kwarg:  # the keywords that do not decide the type
                assert ast.unparse(node.args.kwarg.annotation) == "Unpack[_Choices]"
                assert all(real[name].kind is inspect.Parameter.KEYWORD_ONLY for name in choices)
                named = sorted(named + choices, key=list(real).index)
            assert named == list(real)
            positional = [a.arg for a in node.args.args]
            assert positional == list(real)[: len(positional)]
            kinds = [real[a.arg].kind is inspect.Parameter.KEYWORD_ONLY for a in node.args.kwonlyargs]
            assert all(kinds)
            given = {a.arg: ast.unparse(a.annotation) for a in node.args.kwonlyargs}
            if "output" in given:
                if given["output"] == "str":  # of a word that is known only when it runs
                    assert ast.unparse(node.returns) == "Any"
                    continue
                for word in ast.literal_eval(given["output"].removeprefix("Literal")):
                    types[word, given["return_run"]] = ast.unparse(node.returns)
        elif isinstance(node, ast.ClassDef) and node.name != "_Choices":
            fields = [field.target.id for field in node.body]
            assert fields == list(getattr(_joins, node.name)._fields)
    X = [[0.0], [0.3], [1.0]]
    for output in ("counts", "pairs", "table", "csr", "histogram"):
        plain = types.pop((output, "Literal[False]"))
        assert type(clusterloom.radius_join(X, 0.5, output=output)).__name__ == plain.split(".")[-1]
        assert types.pop((output, "Literal[True]")) == f"Tuple[{plain}, Dict[str, Any]]"
    assert not types


def test_all_strategy_options_can_be_set():
    X = np.random.default_rng(1).random((50, 2))
    for name, choices in clusterloom.strategy_choices().items():
        automatic = "auto" in choices
        value = "auto" if automatic else choices.split(", ")[0]
        assert clusterloom.DBSCAN(0.2, 3, strategy={name: value}).fit(X).n_clusters_ >= 0
