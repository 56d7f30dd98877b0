/**
 * From the analytical optimizer's trees to the executor's plan nodes. In: an optimized tree. Out:
 * an analytical plan. One thread for each statement.
 */
@NullMarked
package io.alrai.optimizer.lower;

import org.jspecify.annotations.NullMarked;
