"""What is left of use, and what of truth: one measure a file, each a number from original and published records."""

from shoal.utility.ratings.cluster_change import cluster_change, clustering_coefficient, clustering_coefficient_before
from shoal.utility.ratings.distortion import cost, distortion, distortion_per_cell
from shoal.utility.ratings.items import (
    centroid_shift,
    deviation_shift,
    item_popularity_correlation,
    rating_histogram_distance,
    sparsity,
    sparsity_before,
)
from shoal.utility.ratings.kept import (
    cells_changed,
    cells_kept,
    original_and_unique,
    rating_loss,
    ratings_covered,
    ratings_dropped,
    ratings_invented,
    ratings_kept,
    records_withheld,
)
from shoal.utility.ratings.link_confidence import highest_link_confidence
from shoal.utility.ratings.profile_ranks import average_self_rank, ranking_quality, self_rank_first
from shoal.utility.tables.distributions import (
    attribute_distribution_distance,
    correlation_shift,
    information_loss,
    regression_shift,
    squared_errors,
    total_squares,
)
from shoal.utility.tables.information_loss import (
    certainty_penalty,
    distortion_ratio,
    entropy_loss,
    loss_mean,
    precision,
)
from shoal.utility.tables.published_columns import nothing_left

from .accuracy import (
    decision_tree_accuracy,
    decision_tree_accuracy_before,
    naive_bayes_accuracy,
    naive_bayes_accuracy_before,
)
from .comparison import Comparison
from .group_sizes import (
    average_group_size,
    discernability,
    key_attribute_count,
    normalized_group_size,
    weighted_discernability,
)
from .measure import Measure, Measured, measured
from .queries import average_query_error, median_query_error
from .words import WarnAt, kept_in_words, warnings_of

__all__ = [
    "MEASURES",
    "QUICK",
    "Comparison",
    "Measure",
    "Measured",
    "WarnAt",
    "kept_in_words",
    "measured",
    "nothing_left",
    "warnings_of",
]

MEASURES = {
    each.name: each
    for each in (
        distortion,
        distortion_per_cell,
        cost,
        cells_changed,
        ratings_invented,
        ratings_dropped,
        records_withheld,
        ratings_kept,
        ratings_covered,
        cells_kept,
        rating_loss,
        original_and_unique,
        centroid_shift,
        deviation_shift,
        discernability,
        average_group_size,
        normalized_group_size,
        loss_mean,
        certainty_penalty,
        precision,
        distortion_ratio,
        entropy_loss,
        attribute_distribution_distance,
        squared_errors,
        total_squares,
        information_loss,
        correlation_shift,
        regression_shift,
        key_attribute_count,
        average_query_error,
        median_query_error,
        weighted_discernability,
        cluster_change,
        naive_bayes_accuracy_before,
        naive_bayes_accuracy,
        decision_tree_accuracy_before,
        decision_tree_accuracy,
        clustering_coefficient_before,
        clustering_coefficient,
        average_self_rank,
        self_rank_first,
        ranking_quality,
        item_popularity_correlation,
        sparsity_before,
        sparsity,
        rating_histogram_distance,
        highest_link_confidence,
    )
}
"""Every measure by the name it is reported under."""

QUICK = tuple(each for each in MEASURES.values() if each.quick)
"""The measures that every release is reported with."""
