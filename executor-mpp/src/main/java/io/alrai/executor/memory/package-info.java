/**
 * Regions and budgets: who may hold how much, and who must give back. In: reservations. Out: grants
 * or a clear error.
 */
@NullMarked
package io.alrai.executor.memory;

import org.jspecify.annotations.NullMarked;
