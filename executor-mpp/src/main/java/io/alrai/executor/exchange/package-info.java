/**
 * Moves what plans are and what they give between processes: plans as JSON, rows as Arrow batches,
 * which Arrow Flight carries. In: a plan, or its rows. Out: bytes or batches, and back. Inside one
 * process rows pass by reference, and no class of Arrow is loaded. The thread of the query.
 */
@NullMarked
package io.alrai.executor.exchange;

import org.jspecify.annotations.NullMarked;
