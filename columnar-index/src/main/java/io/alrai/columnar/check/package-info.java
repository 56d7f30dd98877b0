/**
 * Compares an index with its row store at one snapshot. In: a scan, and the rows as the mysqld has
 * them at the same timestamp. Out: what differs, with examples. One thread, memory for a few rows.
 */
@NullMarked
package io.alrai.columnar.check;

import org.jspecify.annotations.NullMarked;
