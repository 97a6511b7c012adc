"""Answers by comparing all points with all, and clouds to ask about."""

import numpy as np


def squared_distances(X, Y=None):
    """The canonical squared distances: dimensions added in their order, every step rounded."""
    Y = X if Y is None else Y
    total = np.zeros((len(X), len(Y)))
    for j in range(X.shape[1]):
        difference = X[:, None, j] - Y[None, :, j]
        total = total + difference * difference
    return total


def within(X, eps, Y=None):
    return squared_distances(X, Y) <= eps * eps


def dbscan(X, eps, min_samples):
    """Labels and whether each point is core."""
    near = within(X, eps)
    core = near.sum(axis=1) >= min_samples
    return labels_of(near, core), core


def labels_of(near, core):
    """The labels of DBSCAN: which points are neighbours, and which are core."""
    labels = np.full(len(core), -1)
    cluster = 0
    for start in range(len(core)):
        if not core[start] or labels[start] >= 0:
            continue
        waiting = [start]
        labels[start] = cluster
        while waiting:
            for q in np.flatnonzero(near[waiting.pop()] & core & (labels < 0)):
                labels[q] = cluster
                waiting.append(q)
        cluster += 1
    for p in np.flatnonzero(~core):
        clusters = labels[near[p] & core]
        if len(clusters):
            labels[p] = clusters.min()
    return labels


def lattice(seed, points, dims, steps=12):
    """Points on a lattice: many equal points and many distances that tie with eps."""
    return np.random.default_rng(seed).integers(0, steps, (points, dims)).astype(float)


def blobs(seed, points, dims):
    """Three groups of different density, and noise."""
    draw = np.random.default_rng(seed)
    groups = ((0, 1), (8, 2), (20, 0.5))
    parts = [draw.normal(center, width, (points // 4, dims)) for center, width in groups]
    parts.append(draw.uniform(-10, 30, (points - 3 * (points // 4), dims)))
    return draw.permutation(np.concatenate(parts))
