"""DBSCAN on a cluster of Dask by joining neighbour lists, as packages without a join of their own do it.

Space is cut into strips of as many points. A task reads the points of a strip and those within ε of
it, asks a kd-tree of scikit-learn for the neighbours of each, and keeps these lists. The numbers of
neighbours are gathered and say who is core; each task joins the core points in its lists (SciPy's
connected components); the parts are joined where they share points; border points take the cluster of
lowest number in their list. Labels are those of clusterloom, element by element.
"""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import NearestNeighbors

AT_ONCE = 200_000  # queries: scikit-learn makes an array of each answer


def strips(path, count):
    """The bounds of `count` strips of the first coordinate."""
    sample = np.load(path, mmap_mode="r")[::1000, 0]
    inner = np.quantile(sample, np.arange(1, count) / count)
    return np.concatenate([[-np.inf], inner, [np.inf]])


def neighbour_lists(path, low, high, eps):
    """Rows of the strip, numbers of their neighbours, and the rows of these, one list after another."""
    points = np.load(path, mmap_mode="r")
    x = np.array(points[:, 0])
    near = np.flatnonzero((x >= low - eps) & (x <= high + eps)).astype(np.int32)
    cloud = points[near]
    own = np.flatnonzero((cloud[:, 0] >= low) & (cloud[:, 0] < high))
    tree = NearestNeighbors(radius=eps, algorithm="kd_tree").fit(cloud)
    lengths = np.empty(len(own), np.int32)
    lists = []
    for begin in range(0, len(own), AT_ONCE):
        some = tree.radius_neighbors(cloud[own[begin : begin + AT_ONCE]], return_distance=False)
        lengths[begin : begin + AT_ONCE] = [len(one) for one in some]
        lists.append(near[np.concatenate(some)])
    return near[own], lengths, np.concatenate(lists)


def counts(found):
    return found[0], found[1]


def joined(size, a, b):
    """For each of `size` numbers the number of its component, where a[i] and b[i] are joined."""
    graph = coo_matrix((np.ones(len(a), bool), (a, b)), (size, size))
    return connected_components(graph, directed=False)[1]


def join_strip(found, core):
    """The core rows in the lists of a strip, and for each the lowest row of its part."""
    own, lengths, lists = found
    mine = core[own]
    heads = np.repeat(own, lengths)
    kept = np.repeat(mine, lengths) & core[lists]
    rows, places = np.unique(np.concatenate([heads[kept], lists[kept]]), return_inverse=True)
    half = len(places) // 2
    part = joined(len(rows), places[:half], places[half:])
    lowest = np.full(part.max(initial=-1) + 1, len(core), np.int64)
    np.minimum.at(lowest, part, rows)
    return rows, lowest[part]


def label_borders(found, core, labels):
    """The rows of a strip that are no core points, and the lowest label in their lists."""
    own, lengths, lists = found
    ends = np.cumsum(lengths)
    of_lists = np.where(core[lists], labels[lists], np.iinfo(np.int32).max)
    lowest = np.minimum.reduceat(of_lists, ends - lengths)  # a point is in its own list
    border = ~core[own]
    lowest = lowest[border]
    return own[border], np.where(lowest == np.iinfo(np.int32).max, -1, lowest)


def cluster(client, path, eps, min_pts, blocks):
    """The labels, an array of this process."""
    points = len(np.load(path, mmap_mode="r"))
    bounds = strips(path, blocks)
    found = [client.submit(neighbour_lists, path, low, high, eps, pure=False)
             for low, high in zip(bounds[:-1], bounds[1:])]
    core = np.zeros(points, bool)
    for rows, lengths in client.gather([client.submit(counts, one) for one in found]):
        core[rows] = lengths >= min_pts
    shared = client.scatter(core, broadcast=True)
    parts = client.gather([client.submit(join_strip, one, shared) for one in found])
    # A row of two strips is in a part of each, which joins them.
    lowest = np.full(points, -1, np.int64)
    pairs = []
    for rows, of_part in parts:
        known = lowest[rows] >= 0
        pairs.append((lowest[rows[known]], of_part[known]))
        lowest[rows[~known]] = of_part[~known]
    a, b = (np.concatenate(side) for side in zip(*pairs))
    heads = np.unique(np.concatenate([lowest[core], a, b]))
    a, b, of_core = (np.searchsorted(heads, side) for side in (a, b, lowest[core]))
    merged = joined(len(heads), a, b)[of_core]
    # Clusters are numbered by their lowest core points.
    _, where, number = np.unique(merged, return_index=True, return_inverse=True)
    order = np.empty(len(where), np.int32)
    order[np.argsort(where)] = np.arange(len(where), dtype=np.int32)
    labels = np.full(points, -1, np.int32)
    labels[core] = order[number]
    shared_labels = client.scatter(labels, broadcast=True)
    borders = client.gather([client.submit(label_borders, one, shared, shared_labels) for one in found])
    for rows, of_row in borders:
        labels[rows] = of_row
    return labels
