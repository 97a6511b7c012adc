"""Pictures by matplotlib: what they draw is what the arrays hold."""

import importlib
import importlib.util

import numpy as np
import oracle
import pytest

import clusterloom

X = oracle.blobs(7, 200, 2)
HIERARCHY = clusterloom.Hierarchy(X, 5)


def axis():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    return importlib.import_module("matplotlib.figure").Figure().subplots()


def lines_of(drawn):
    return [line.get_xydata() for line in drawn.get_lines()]


@pytest.mark.parametrize("what", ["clusters", "noise", "largest"])
def test_the_sweep(what):
    curve = HIERARCHY.curve()
    drawn = curve.plot(what, axis(), eps=0.7)
    steps, mark = lines_of(drawn)
    shown = curve.eps > 0
    np.testing.assert_array_equal(
        steps, np.column_stack([curve.eps[shown], getattr(curve, what)[shown]])
    )
    assert (mark[:, 0] == 0.7).all() and drawn.get_xscale() == "log"
    drawn.figure.canvas.draw()


def test_stability_over_eps():
    found = HIERARCHY.stability(X, [0.3, 0.5, 1.0, 2.0], resamples=4)
    drawn = found.plot(axis())
    (mean,) = lines_of(drawn)
    np.testing.assert_array_equal(mean, np.column_stack([found.eps, found.mean]))
    band = drawn.collections[0].get_paths()[0].vertices
    assert {tuple(row) for row in np.column_stack([found.eps, found.low])} <= {*map(tuple, band)}
    assert {tuple(row) for row in np.column_stack([found.eps, found.high])} <= {*map(tuple, band)}
    assert drawn.get_xscale() == "log"
    drawn.figure.canvas.draw()


def test_reachability():
    plot = HIERARCHY.reachability()
    assert sorted(plot.order.tolist()) == list(range(200)) and np.isinf(plot.heights[0])
    # Cutting the bars gives the core points of DBSCAN's clusters.
    for eps in (0.3, 0.6, 1.0, 2.5):
        labels, core = oracle.dbscan(X, eps, 5)
        run = np.cumsum(plot.heights > eps)
        runs = [plot.order[run == part] for part in np.unique(run)]
        found = {frozenset(part.tolist()) for part in runs if core[part].all()}
        assert found == {
            frozenset(np.flatnonzero(core & (labels == c)).tolist())
            for c in range(labels.max() + 1)
        }
    labels = HIERARCHY.labels(0.6)
    drawn = plot.plot(axis(), eps=0.6, labels=labels)
    bars = [
        segment for bundle in drawn.collections for segment in bundle.get_segments()
    ]
    heights = np.empty(200)
    for (x, low), (_, high) in bars:
        assert low == 0
        heights[int(x)] = high
    np.testing.assert_array_equal(heights[1:], plot.heights[1:])
    assert heights[0] > plot.heights[1:].max()
    assert len(drawn.collections) == len(np.unique(labels))
    drawn.figure.canvas.draw()


def test_the_tree():
    drawn = HIERARCHY.tree().plot(axis(), truncate_mode="lastp", p=12)
    assert len(drawn.get_lines()) == 3 * 11
    np.testing.assert_array_equal(HIERARCHY.tree().to_numpy(), HIERARCHY.linkage())
    fitted = clusterloom.HDBSCAN(10, 5, copy=True).fit(X)
    fitted.condensed_tree_.plot(axis=axis(), select_clusters=True).figure.canvas.draw()


def test_k_distances():
    found = clusterloom.k_distances(X, 5)
    drawn = found.plot(axis())
    curve, knee = lines_of(drawn)
    np.testing.assert_array_equal(curve[:, 1], found.distances)
    assert (knee[:, 1] == found.suggested_eps).all()
    assert drawn.get_ylabel() == "5-distance"
    drawn.figure.canvas.draw()


@pytest.mark.parametrize("what", ["clusters", "core", "noise"])
def test_every_min_samples(what):
    curve = clusterloom.min_samples_curve(X, 0.8)
    (steps,) = lines_of(curve.plot(what, axis()))
    np.testing.assert_array_equal(steps, np.column_stack([curve.min_samples, getattr(curve, what)]))


def test_the_current_axis_and_words():
    with pytest.raises(ValueError, match="what must be"):
        HIERARCHY.curve().plot("points")
    with pytest.raises(ValueError, match="what must be"):
        clusterloom.min_samples_curve(X, 0.8).plot("eps")
    with pytest.raises(ValueError, match="labels"):
        HIERARCHY.reachability().plot(labels=[0])
    if importlib.util.find_spec("matplotlib") is None:
        for plot in (HIERARCHY.curve(), HIERARCHY.reachability(), clusterloom.k_distances(X, 5)):
            with pytest.raises(ImportError, match="pip install matplotlib"):
                plot.plot()
    else:
        import matplotlib.pyplot as pyplot

        pyplot.switch_backend("Agg")
        figure = pyplot.figure()
        assert HIERARCHY.curve().plot().figure is figure
        pyplot.close(figure)
