/**
 * Loads that prove what a cluster promises: money that is moved between DNs, and random
 * transactions that are recorded for the checker of histories. In: the ports of any MySQL
 * endpoints. Out: counts, and anomalies. Each client is a thread of its own and survives the death
 * of whom it talks to; an answer that was lost is recorded as such.
 */
@NullMarked
package io.alrai.testing.load;

import org.jspecify.annotations.NullMarked;
