/** Transactions that wait for each other on different DNs, against real clusters. */
@NullMarked
package io.alrai.e2e.deadlock;

import org.jspecify.annotations.NullMarked;
