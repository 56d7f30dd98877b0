package io.alrai.cn.slowlog;

/**
 * What a slow statement did.
 *
 * @param sent rows that its client got
 * @param affected rows that it wrote
 * @param warnings that it raised
 * @param errno of its error; 0 for none
 * @param lastInsertId the session's
 */
public record SlowFigures(long sent, long affected, long warnings, int errno, long lastInsertId) {}
