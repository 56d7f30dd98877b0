/**
 * From a statement's bytes to its plan, through a cache by shape that is dropped when the catalog
 * changes. In: texts. Out: plans with values. One cache for each event loop.
 */
@NullMarked
package io.alrai.cn.plan;

import org.jspecify.annotations.NullMarked;
