/**
 * A column node's server: runs plans that CNs send over the indexes of its process and streams the
 * rows back; says what its indexes are like. In: Flight tickets and actions. Out: Arrow batches,
 * and records as JSON. A virtual thread for each query, which has its work done on threads that
 * give way to others; what Flight calls never waits for a query.
 */
@NullMarked
package io.alrai.cn.columnar.node;

import org.jspecify.annotations.NullMarked;
