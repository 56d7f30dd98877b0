/**
 * Decides at which moment a statement or a transaction reads: timestamps, read views on the DNs,
 * and the predictions that avoid some of the views. Event loop of the session.
 */
@NullMarked
package io.alrai.cn.snapshot;

import org.jspecify.annotations.NullMarked;
