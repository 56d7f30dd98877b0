package io.alrai.dn.binlog;

/** A physical table, as a mysqld knows it. */
public record TableName(String schema, String table) {
  /** Where decisions are written. */
  static final TableName TX_LOG = new TableName("alrai", "tx_log");

  @Override
  public String toString() {
    return schema + "." + table;
  }
}
