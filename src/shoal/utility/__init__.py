"""What is left of use, and what of truth: one measure a file, each a number from original and published records."""

from .average_group_size import average_group_size
from .cells_changed import cells_changed
from .cells_kept import cells_kept
from .centroid_shift import centroid_shift
from .certainty_penalty import certainty_penalty
from .cluster_change import cluster_change
from .clustering_coefficient import clustering_coefficient, clustering_coefficient_before
from .comparison import Comparison
from .cost import cost
from .decision_tree_accuracy import decision_tree_accuracy, decision_tree_accuracy_before
from .deviation_shift import deviation_shift
from .discernability import discernability
from .distortion import distortion
from .distortion_per_cell import distortion_per_cell
from .distribution_distance import attribute_distribution_distance
from .entropy_loss import entropy_loss
from .highest_link_confidence import highest_link_confidence
from .item_popularity_correlation import item_popularity_correlation
from .kept_in_words import kept_in_words
from .key_attribute_count import key_attribute_count
from .label_heights import distortion_ratio, precision
from .linear_shift import correlation_shift, regression_shift
from .loss_mean import loss_mean
from .measure import Measure
from .measured import Measured, measured
from .naive_bayes_accuracy import naive_bayes_accuracy, naive_bayes_accuracy_before
from .normalised_group_size import normalised_group_size
from .nothing_left import nothing_left
from .original_and_unique import original_and_unique
from .query_error import average_query_error, median_query_error
from .ranking_quality import ranking_quality
from .rating_histogram import rating_histogram_distance
from .rating_loss import rating_loss
from .ratings_covered import ratings_covered
from .ratings_dropped import ratings_dropped
from .ratings_invented import ratings_invented
from .ratings_kept import ratings_kept
from .records_withheld import records_withheld
from .self_rank import average_self_rank, self_rank_first
from .sparsity import sparsity, sparsity_before
from .squared_errors import information_loss, squared_errors, total_squares
from .warnings import WarnAt, warnings_of
from .weighted_discernability import weighted_discernability

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
        normalised_group_size,
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
