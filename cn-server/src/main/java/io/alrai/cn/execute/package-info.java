/**
 * Runs plans: gives each to the executor of its kind, and checks what a transaction that is true to
 * its snapshot has read. In: plans with values. Out: rows or an outcome. Event loop while all is
 * short, otherwise virtual threads.
 */
@NullMarked
package io.alrai.cn.execute;

import org.jspecify.annotations.NullMarked;
