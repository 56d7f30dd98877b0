/**
 * The column nodes of a cluster, as a CN sees them: what their indexes are like, as of a fifth of a
 * second ago, and plans that run there. In: the catalog's column nodes. Out: {@link
 * io.alrai.columnar.serve.ColumnIndexes} to plan on, {@link io.alrai.cn.columnar.RemotePlans}. A
 * virtual thread for each node asks it; calls come on the statements' threads.
 */
@NullMarked
package io.alrai.cn.columnar.remote;

import org.jspecify.annotations.NullMarked;
