/**
 * Which moment a statement or a transaction reads: timestamps, read views on the DNs, and the
 * predictions that save some of them. Event loop of the session.
 */
@NullMarked
package io.alrai.cn.snapshot;

import org.jspecify.annotations.NullMarked;
