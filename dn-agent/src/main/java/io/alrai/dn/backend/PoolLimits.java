package io.alrai.dn.backend;

/**
 * Bounds of a pool.
 *
 * @param branchesPerLoop connections of one event loop to one mysqld under one account
 * @param waitNanos how long to wait for a free one, or for a mysqld that is down
 */
public record PoolLimits(int branchesPerLoop, long waitNanos) {}
