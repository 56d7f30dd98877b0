package io.alrai.executor.fragment;

import io.alrai.common.type.MysqlType;

/**
 * A column of a partition key, with what decides which values are equal and which fit.
 *
 * @param name as declared
 * @param type integer, decimal, string, binary string, date or datetime kinds only
 * @param unsigned of an integer
 * @param length characters, bytes or digits as declared; 0 where not known, and values that are
 *     stored are then taken as perhaps too long
 * @param scale digits after the decimal point, or fractional second digits
 * @param charset empty for types without one, {@code binary} for bytes
 * @param collation decides which strings are equal
 * @param nullable whether it holds NULL; else a mysqld refuses NULL, or takes another value for it
 */
public record KeyColumn(
    String name,
    MysqlType type,
    boolean unsigned,
    int length,
    int scale,
    String charset,
    String collation,
    boolean nullable) {}
