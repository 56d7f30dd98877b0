package io.alrai.columnar.scan;

/** A column of a table, as MySQL declares it. */
public record ColumnShape(String name, ColumnKind kind, boolean nullable) {}
