/**
 * What a process counts, and how a DBA sees it: counters and gauges by name, in one registry for
 * each process. In: increments, from any thread. Out: samples, as Prometheus text on an HTTP port
 * or as rows. Counting is an add to a {@link java.util.concurrent.atomic.LongAdder} and nothing
 * else.
 */
@NullMarked
package io.alrai.common.metrics;

import org.jspecify.annotations.NullMarked;
