package io.alrai.dn.binlog;

/** Event types that matter here (MySQL source, libs/mysql/binlog/event/binlog_event.h). */
final class EventType {
  static final int QUERY = 2;
  static final int STOP = 3;
  static final int ROTATE = 4;
  static final int FORMAT_DESCRIPTION = 15;
  static final int XID = 16;
  static final int TABLE_MAP = 19;
  static final int INCIDENT = 26;
  static final int HEARTBEAT = 27;
  static final int WRITE_ROWS = 30;
  static final int UPDATE_ROWS = 31;
  static final int DELETE_ROWS = 32;
  static final int GTID = 33;
  static final int ANONYMOUS_GTID = 34;
  static final int PREVIOUS_GTIDS = 35;
  static final int XA_PREPARE = 38;
  static final int PARTIAL_UPDATE_ROWS = 39;
  static final int TRANSACTION_PAYLOAD = 40;
  static final int HEARTBEAT_V2 = 41;
  static final int GTID_TAGGED = 42;

  private EventType() {}
}
