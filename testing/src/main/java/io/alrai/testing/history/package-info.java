/**
 * Checks recorded histories of transactions for the anomalies of Adya's thesis, in the manner of
 * Elle: lists to which unique values are appended, and registers to which unique values are
 * written. In: what each client asked and was answered. Out: anomalies, each with the transactions
 * that prove it. No threads, no I/O.
 */
@NullMarked
package io.alrai.testing.history;

import org.jspecify.annotations.NullMarked;
