"""The trees of HDBSCAN*: as arrays, for pandas and NetworkX, and as pictures."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _engine
from ._options import integer_of, number_of
from ._plots import axis_of, imported


def cut_of(cut_distance: Any) -> float:
    """The distance of a cut. ParameterError; ValueError for NaN."""
    cut = number_of(cut_distance, "cut_distance")
    if np.isnan(cut):
        raise ValueError("cut_distance must be a number, not NaN")
    return cut


def labels_of_parts(part: np.ndarray, min_cluster_size: int) -> np.ndarray:
    """Labels for points that are divided into parts: parts of at least `min_cluster_size` points are
    clusters, numbered by their lowest point; the other points are noise, -1."""
    _, first, part, sizes = np.unique(
        part, return_index=True, return_inverse=True, return_counts=True
    )
    large = np.flatnonzero(sizes >= min_cluster_size)
    number = np.full(len(sizes), -1, dtype=np.int32)
    number[large[np.argsort(first[large])]] = np.arange(len(large))
    return number[part]


#: A row of a condensed tree, with the members that the package hdbscan gives it.
CONDENSED_ROW = np.dtype(
    [
        ("parent", np.int64),
        ("child", np.int64),
        ("lambda_val", np.float64),
        ("child_size", np.int64),
    ]
)


def _colours(cmap: str, values: np.ndarray, axis: Any, colorbar: bool, label: str) -> Any:
    """A colour for each value, and the bar that explains them; black for the map "none"."""
    if cmap == "none":
        return ["black"] * len(values)
    pyplot = imported("matplotlib.pyplot", "plot()")
    norm = pyplot.Normalize(0, float(np.max(values, initial=1)))
    scale = pyplot.cm.ScalarMappable(cmap=cmap, norm=norm)
    scale.set_array(values)
    if colorbar:
        axis.figure.colorbar(scale, ax=axis).ax.set_ylabel(label)
    return [scale.to_rgba(value) for value in values]


def _without_frame(axis: Any) -> None:
    axis.set_xticks([])
    for side in ("right", "top", "bottom"):
        axis.spines[side].set_visible(False)


class CondensedTree:
    """The condensed tree of HDBSCAN*: clusters of at least min_cluster_size points, and where each
    point leaves them. Densities are lambda = 1 / distance.

    Of n points, nodes 0 … n - 1 are points, n is the root, and larger numbers are clusters, parents
    before their children. A cluster may split into more than two: edges of equal weight are removed
    together. Points are counted without rows that are not finite.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self._found = {
            name: np.asarray(found[name])
            for name in ("cluster_of", "lambdas", "parents", "sizes", "births", "taken")
        }

    @property
    def points(self) -> int:
        """The number of points."""
        return len(self._found["cluster_of"])

    @property
    def selected(self) -> List[int]:
        """The node behind each label."""
        return (self.points + self._found["taken"].astype(np.int64)).tolist()

    def to_numpy(self) -> np.ndarray:
        """A structured array of a row (parent, child, lambda_val, child_size) for each point and
        each cluster but the root, by (parent, lambda_val, child) ascending. lambda_val is where the
        child leaves its parent: infinite for points that nothing separates."""
        names = ("cluster_of", "lambdas", "parents", "births", "sizes")
        rows = _engine.condensed_rows(*(np.ascontiguousarray(self._found[n]) for n in names))
        return np.asarray(rows).view(CONDENSED_ROW)

    def to_pandas(self) -> Any:
        """The same as a DataFrame. ImportError without pandas."""
        return imported("pandas", "to_pandas()").DataFrame(self.to_numpy())

    def to_networkx(self) -> Any:
        """A DiGraph from parents to children; edges have `weight`, which is lambda_val, and nodes
        `size`. ImportError without NetworkX."""
        graph = imported("networkx", "to_networkx()").DiGraph()
        rows = self.to_numpy()
        graph.add_node(self.points, size=self.points)
        for parent, child, lambda_val, size in rows.tolist():
            graph.add_edge(parent, child, weight=lambda_val)
            graph.nodes[child]["size"] = size
        return graph

    def plot(
        self,
        leaf_separation: float = 1,
        cmap: str = "viridis",
        select_clusters: bool = False,
        label_clusters: bool = False,
        selection_palette: Optional[Sequence[Any]] = None,
        axis: Any = None,
        colorbar: bool = True,
        log_size: bool = False,
        max_rectangles_per_icicle: int = 20,
    ) -> Any:
        """Draws the tree from the root downwards: lambda down, and each cluster as wide as it has
        points there.

        Parameters
        ----------
        leaf_separation : float
            The distance between clusters that do not split; the widest cluster is as wide.
        cmap : str
            The colour map of sizes; "none" is black.
        select_clusters, label_clusters : bool
            Whether the clusters that were taken are marked, and numbered by their labels.
        selection_palette : sequence of colours, optional
            For the marks, one for each label; red otherwise.
        axis : matplotlib axis, optional
            Where to draw; None is the current one.
        colorbar, log_size : bool
            Whether the colours are explained; whether sizes are logarithmic.
        max_rectangles_per_icicle : int
            The most rectangles of one cluster.

        Returns
        -------
        The axis. ImportError without matplotlib.
        """
        axis = axis_of(axis)
        steps = self._steps(log_size)
        centers = self._centers(leaf_separation)
        widest = max(float(sizes.max()) for _, sizes in steps)
        left, bottom, width, height = [], [], [], []
        for center, (lambdas, sizes) in zip(centers, steps):
            kept = _spread(len(sizes), max_rectangles_per_icicle)
            for i, until in zip(kept, [*kept[1:], len(sizes)]):
                width.append(leaf_separation * sizes[i] / widest)
                left.append(center - width[-1] / 2)
                bottom.append(lambdas[i])
                height.append(lambdas[until] - lambdas[i])
        values = np.asarray(width) * widest / leaf_separation
        label = "log(Number of points)" if log_size else "Number of points"
        colours = _colours(cmap, values, axis, colorbar, label)
        axis.bar(left, height, width, bottom, align="edge", color=colours, linewidth=0)
        for cluster, parent in enumerate(self._found["parents"].tolist()):
            if parent >= 0:
                at = steps[cluster][0][0]
                axis.plot([centers[parent], centers[cluster]], [at, at], color="black", linewidth=1)
        if select_clusters:
            scale = leaf_separation / widest
            self._mark(axis, centers, steps, scale, label_clusters, selection_palette)
        _without_frame(axis)
        axis.invert_yaxis()
        axis.set_ylabel(r"$\lambda$ value")
        return axis

    def _steps(self, log_size: bool) -> List[Any]:
        """For each cluster the lambdas between which it has each of its sizes, one more than
        these."""
        rows, found = self.to_numpy(), self._found
        lambdas = rows["lambda_val"]
        end = float(np.max(lambdas[np.isfinite(lambdas)], initial=0)) or 1.0
        lambdas = np.minimum(lambdas, end)  # infinite ones end with the picture
        bounds = np.searchsorted(rows["parent"], self.points + np.arange(len(found["parents"]) + 1))
        steps = []
        for cluster, (start, stop) in enumerate(zip(bounds[:-1], bounds[1:])):
            at, first = np.unique(lambdas[start:stop], return_index=True)
            gone = np.concatenate([[0], np.cumsum(rows["child_size"][start:stop])])
            left = found["sizes"][cluster] - gone[first]
            edges = np.concatenate([found["births"][cluster : cluster + 1], at])
            steps.append((edges, np.log(left) if log_size else left))
        return steps

    def _centers(self, separation: float) -> List[float]:
        """Where each cluster stands: leaves side by side, others above their children."""
        parents = self._found["parents"].tolist()
        children: List[List[int]] = [[] for _ in parents]
        for cluster, parent in enumerate(parents):
            if parent >= 0:
                children[parent].append(cluster)
        centers = [0.0] * len(parents)
        waiting, leaves = [0], 0
        while waiting:
            cluster = waiting.pop()
            waiting.extend(reversed(children[cluster]))
            if not children[cluster]:
                centers[cluster] = leaves * separation
                leaves += 1
        for cluster in reversed(range(len(parents))):
            if children[cluster]:
                centers[cluster] = float(np.mean([centers[c] for c in children[cluster]]))
        return centers

    def _mark(
        self,
        axis: Any,
        centers: List[float],
        steps: Sequence[Any],
        scale: float,
        numbered: bool,
        palette: Optional[Sequence[Any]],
    ) -> None:
        patches = imported("matplotlib.patches", "plot()")
        end = max(float(lambdas[-1]) for lambdas, _ in steps)
        for label, cluster in enumerate(self._found["taken"].tolist()):
            lambdas, sizes = steps[cluster]
            low, high = float(lambdas[0]), float(lambdas[-1])
            width = 2 * scale * float(sizes.max())
            height = max(1.2 * (high - low), 0.05 * end)
            colour = palette[label] if palette is not None and label < len(palette) else "r"
            center = (centers[cluster], (low + high) / 2)
            axis.add_patch(
                patches.Ellipse(
                    center, width, height, facecolor="none", edgecolor=colour, linewidth=2
                )
            )
            if numbered:
                axis.annotate(str(label), xy=center, ha="left", va="top", color=colour)


def _spread(count: int, most: int) -> List[int]:
    """At most `most` of 0 … count - 1, the first among them."""
    if most < 1:
        raise ValueError(f"max_rectangles_per_icicle must be at least 1, not {most}")
    return np.unique(np.linspace(0, count, min(count, most), endpoint=False).astype(int)).tolist()


class SingleLinkageTree:
    """The dendrogram of mutual reachability: the n - 1 merges of n points, as
    `scipy.cluster.hierarchy` lists them. Points are counted without rows that are not finite."""

    def __init__(self, linkage: Any) -> None:
        self._linkage = np.asarray(linkage)

    def to_numpy(self) -> np.ndarray:
        """SciPy's linkage matrix, float64 of shape (n - 1, 4): the two nodes that merge, their
        distance, and the points below."""
        return self._linkage.copy()

    def to_structured(self) -> np.ndarray:
        """The same as a structured array (parent, left_child, right_child, distance, size)."""
        rows = np.empty(
            len(self._linkage),
            dtype=[
                ("parent", np.int64),
                ("left_child", np.int64),
                ("right_child", np.int64),
                ("distance", np.float64),
                ("size", np.int64),
            ],
        )
        rows["parent"] = len(rows) + 1 + np.arange(len(rows))
        for column, name in enumerate(("left_child", "right_child", "distance", "size")):
            rows[name] = self._linkage[:, column]
        return rows

    def to_pandas(self) -> Any:
        """`to_structured` as a DataFrame. ImportError without pandas."""
        return imported("pandas", "to_pandas()").DataFrame(self.to_structured())

    def to_networkx(self) -> Any:
        """A DiGraph from parents to children; edges have `weight`, the distance, and nodes `size`.
        ImportError without NetworkX."""
        graph = imported("networkx", "to_networkx()").DiGraph()
        graph.add_nodes_from(range(len(self._linkage) + 1), size=1)
        for parent, left, right, distance, size in self.to_structured().tolist():
            graph.add_node(parent, size=size)
            graph.add_edge(parent, left, weight=distance)
            graph.add_edge(parent, right, weight=distance)
        return graph

    def get_clusters(self, cut_distance: float, min_cluster_size: int = 5) -> np.ndarray:
        """The parts of at least min_cluster_size points that merges below cut_distance join: labels
        0, 1, … in the order of their lowest points, -1 for the others. Without border points, which
        `DBSCAN` has."""
        from scipy.cluster.hierarchy import fcluster

        below = np.nextafter(cut_of(cut_distance), -np.inf)
        part = np.zeros(1, dtype=int)  # of one point, of which SciPy knows no tree
        if len(self._linkage):
            part = fcluster(self._linkage, below, "distance")
        return labels_of_parts(part, integer_of(min_cluster_size, "min_cluster_size"))

    def plot(
        self,
        axis: Any = None,
        truncate_mode: Optional[str] = None,
        p: int = 0,
        vary_line_width: bool = True,
        cmap: str = "viridis",
        colorbar: bool = True,
    ) -> Any:
        """Draws the dendrogram, which suits some hundred points.

        Parameters
        ----------
        axis : matplotlib axis, optional
            Where to draw; None is the current one.
        truncate_mode, p
            Those of `scipy.cluster.hierarchy.dendrogram`: which merges are drawn.
        vary_line_width : bool
            Whether lines are wider where more points are below.
        cmap : str
            The colour map of the number of points; "none" is black.
        colorbar : bool
            Whether the colours are explained.

        Returns
        -------
        The axis. ImportError without matplotlib.
        """
        from scipy.cluster.hierarchy import dendrogram

        axis = axis_of(axis)
        # Points below what is drawn at each x: leaves stand at 5, 15, …
        sizes: Dict[float, float] = {}
        drawn = dendrogram(
            self._linkage, p=p, truncate_mode=truncate_mode, no_plot=True, color_threshold=0
        )
        for x, node in zip(range(5, 10 * len(drawn["leaves"]) + 5, 10), drawn["leaves"]):
            inner = node - len(self._linkage) - 1
            sizes[float(x)] = float(self._linkage[inner, 3]) if inner >= 0 else 1.0
        legs = []  # a vertical line, and the points below
        for x, y in zip(drawn["icoord"], drawn["dcoord"]):  # lower merges come first
            both = sizes[x[0]] + sizes[x[2]]
            legs += [(x[:2], y[:2], sizes[x[0]]), (x[2:], y[2:], sizes[x[2]])]
            sizes[(x[0] + x[2]) / 2] = both
            axis.plot(x[1:3], y[1:3], color="black", linewidth=1)
        counts = np.log2([count for _, _, count in legs])
        colours = _colours(cmap, counts, axis, colorbar, "log2(Number of points)")
        for (x, y, count), colour in zip(legs, colours):
            width = np.log2(1 + count) if vary_line_width else 1.0
            axis.plot(x, y, color=colour, linewidth=width, solid_capstyle="butt")
        _without_frame(axis)
        axis.set_ylabel("distance")
        return axis


class MinimumSpanningTree:
    """A minimum spanning tree of mutual reachability: n - 1 edges between the n points. Where
    distances tie there are several such trees, and any of them may be found; their weights are the
    same. Points are counted without rows that are not finite."""

    def __init__(self, edges: Any, points: Any) -> None:
        self._edges = np.asarray(edges)
        self._points = points

    def to_numpy(self) -> np.ndarray:
        """float64 of shape (n - 1, 3): two points and their mutual reachability, ascending."""
        return self._edges.copy()

    def to_structured(self) -> np.ndarray:
        """The same as a structured array (from, to, distance)."""
        rows = np.empty(
            len(self._edges), dtype=[("from", np.int64), ("to", np.int64), ("distance", np.float64)]
        )
        for column, name in enumerate(rows.dtype.names or ()):
            rows[name] = self._edges[:, column]
        return rows

    def to_pandas(self) -> Any:
        """`to_structured` as a DataFrame. ImportError without pandas."""
        return imported("pandas", "to_pandas()").DataFrame(self.to_structured())

    def to_networkx(self) -> Any:
        """A Graph whose edges have `weight` and whose nodes have the coordinates as `data`.
        ImportError without NetworkX."""
        graph = imported("networkx", "to_networkx()").Graph()
        graph.add_nodes_from(range(len(self._edges) + 1))
        for a, b, distance in self.to_structured().tolist():
            graph.add_edge(a, b, weight=distance)
        if isinstance(self._points, np.ndarray):
            for node in graph.nodes:
                graph.nodes[node]["data"] = self._points[node].tolist()
        return graph

    def plot(
        self,
        axis: Any = None,
        node_size: float = 40,
        node_color: Any = "k",
        node_alpha: float = 0.8,
        edge_alpha: float = 0.5,
        edge_cmap: Union[str, Any] = "viridis_r",
        edge_linewidth: float = 2,
        vary_line_width: bool = True,
        colorbar: bool = True,
    ) -> Any:
        """Draws points and edges; points of more than two dimensions by their two principal
        components. Longer edges are thinner where vary_line_width says so. Returns the axis.
        ImportError without matplotlib; ValueError for points that are not dense."""
        if not isinstance(self._points, np.ndarray):
            raise ValueError("plot() needs points with coordinates")
        axis = axis_of(axis)
        pyplot = imported("matplotlib.pyplot", "plot()")
        collections = imported("matplotlib.collections", "plot()")
        at = _plane(self._points)
        ends = self._edges[:, :2].astype(np.int64)
        distances = self._edges[:, 2]
        widths: Any = edge_linewidth
        if vary_line_width and len(distances):
            longest = float(distances.max()) or 1.0
            widths = edge_linewidth * (np.log1p(longest / np.maximum(distances, longest * 1e-9)))
            widths = np.minimum(widths, 4 * edge_linewidth)
        lines = collections.LineCollection(
            at[ends], linewidth=widths, cmap=pyplot.get_cmap(edge_cmap), alpha=edge_alpha
        )
        lines.set_array(distances)
        axis.add_collection(lines)
        axis.scatter(at[:, 0], at[:, 1], color=node_color, s=node_size, alpha=node_alpha)
        if colorbar:
            bar = axis.figure.colorbar(lines, ax=axis)
            bar.ax.set_ylabel("Mutual reachability distance")
        axis.set_xticks([])
        axis.set_yticks([])
        return axis


def _plane(points: np.ndarray) -> np.ndarray:
    """Two coordinates for each point: its own, or its principal components."""
    if points.shape[1] == 1:
        return np.column_stack([points[:, 0], np.zeros(len(points))])
    if points.shape[1] == 2:
        return points
    centered = points - points.mean(axis=0)
    _, directions = np.linalg.eigh(centered.T @ centered)
    return centered @ directions[:, :-3:-1]
