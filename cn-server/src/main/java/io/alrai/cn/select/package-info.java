/**
 * Runs SELECTs over several places: scatter, merge, gather, or columns. On the event loop while all
 * is short, otherwise on virtual threads.
 */
@NullMarked
package io.alrai.cn.select;

import org.jspecify.annotations.NullMarked;
