package io.alrai.dn.gate;

import io.alrai.dn.binlog.BinlogPosition;

/** What is on the disk of an agent, for its next life. */
final class ModelDisk {
  /** Up to where commits were acknowledged: what comes after it is cut off with a dead mysqld. */
  BinlogPosition acked;

  /** How many entries of the log need not be read to know what was decided. */
  int settled;

  ModelDisk(BinlogPosition acked) {
    this.acked = acked;
  }
}
