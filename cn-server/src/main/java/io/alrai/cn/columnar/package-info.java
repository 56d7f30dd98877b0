/**
 * Column indexes of a CN's or a column node's process: follows the log of each DN, builds the
 * indexes that the catalog names, and keeps them; reads tables that have none into columns for one
 * statement. In: the catalog, the agents' feeds, rows at snapshots. Out: {@link
 * io.alrai.columnar.serve.ColumnIndexes}. One thread for each DN that is followed, one that keeps
 * the indexes as the catalog has them, one that compacts.
 */
@NullMarked
package io.alrai.cn.columnar;

import org.jspecify.annotations.NullMarked;
