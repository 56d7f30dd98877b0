/**
 * SELECTs over column indexes. In: a statement's shape and values, and its session. Out: the reason
 * why it goes to the row store, or its rows at one snapshot. What cannot be answered exactly as
 * MySQL would is left to the row store. Virtual threads; the first question, whether a statement
 * may be one at all, on event loops.
 */
@NullMarked
package io.alrai.cn.analytic;

import org.jspecify.annotations.NullMarked;
