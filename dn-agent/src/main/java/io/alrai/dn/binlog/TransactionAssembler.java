package io.alrai.dn.binlog;

import io.alrai.dn.binlog.TransactionKind.Commit;
import io.alrai.dn.binlog.TransactionKind.OnePhase;
import io.alrai.dn.binlog.TransactionKind.Statement;
import io.alrai.dn.binlog.TransactionKind.XaCommit;
import io.alrai.dn.binlog.TransactionKind.XaPrepare;
import io.alrai.dn.binlog.TransactionKind.XaRollback;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Makes transactions out of events. No I/O; belongs to one thread. What it is given must begin
 * outside of a transaction, as every stream from a mysqld does.
 *
 * <p>The GTID's event tells how long the transaction is; its kind follows from its content:
 *
 * <pre>
 *  plain commit        BEGIN, tables and rows, Xid
 *  decision            the same, with a savepoint that says so, or a row in alrai.tx_log
 *  tombstone           the same, with a row in alrai.tx_log
 *  XA PREPARE          XA START, tables and rows, XA END, XA_prepare
 *  one phase           the same, XA_prepare says so
 *  XA COMMIT/ROLLBACK  that statement alone
 *  statement           another statement, alone or among rows
 * </pre>
 */
final class TransactionAssembler {
  private static final int KNOWN_TABLES = 4_096;
  private static final int CRC32_ALGORITHM = 1;

  /** Bytes of a statement event before its status variables. */
  static final int QUERY_POST_HEADER = 13;

  /** How much of a statement is read to tell what it is. */
  private static final int STATEMENT_START = 512;

  private final Consumer<BinlogTransaction> consumer;
  private final int keptBytes;
  private final LongEvents longOnes;
  private final CRC32 crc = new CRC32();

  /** By their numbers in the present file: each transaction tells again what it writes to. */
  private final Map<Long, TableName> tablesById = new HashMap<>();

  private @Nullable TableMap txLog;
  private long txLogId = -1;
  private String file = "";
  private long offset;

  // The transaction under way:
  private @Nullable GtidEvent open;
  private long endOffset;
  private byte @Nullable [] kept;
  private int keptLength;
  private final List<TableName> tables = new ArrayList<>(4);
  private @Nullable TransactionKind kind;
  private long connectionId;

  /**
   * An assembler.
   *
   * @param keptBytes the events of a transaction up to this length are kept and given on
   * @param longOnes takes those of others while they come
   */
  TransactionAssembler(int keptBytes, LongEvents longOnes, Consumer<BinlogTransaction> consumer) {
    this.keptBytes = keptBytes;
    this.longOnes = longOnes;
    this.consumer = consumer;
  }

  /**
   * Takes the next event.
   *
   * @throws BinlogException when it is damaged or out of place; nothing may be given afterwards
   */
  void accept(Event event) {
    check(event);
    switch (event.type()) {
      case EventType.ROTATE -> rotate(event);
      case EventType.FORMAT_DESCRIPTION -> format(event);
      case EventType.GTID -> begin(event, GtidEvent.parse(event));
      case EventType.GTID_TAGGED -> begin(event, GtidEvent.parseTagged(event));
      case EventType.HEARTBEAT, EventType.HEARTBEAT_V2, EventType.STOP -> {}
      case EventType.PREVIOUS_GTIDS -> advance(event);
      case EventType.ANONYMOUS_GTID ->
          throw new BinlogException("a transaction without GTID: gtid_mode is not ON");
      case EventType.INCIDENT -> throw new BinlogException("the server lost events");
      default -> inTransaction(event);
    }
  }

  /** Sums all but the last four bytes, and compares with these. */
  private void check(Event event) {
    crc.reset();
    ByteBuf buf = event.bytes();
    int summed = event.length() - Event.CHECKSUM;
    if (summed < Event.HEADER || buf.getUnsignedIntLE(event.start() + 9) != event.length()) {
      throw new BinlogException("an event whose length is wrong, near " + file + ":" + offset);
    }
    crc.update(buf.nioBuffer(event.start(), summed));
    if (crc.getValue() != buf.getUnsignedIntLE(event.start() + summed)) {
      throw new BinlogException("an event with a wrong checksum, near " + file + ":" + offset);
    }
  }

  private void rotate(Event event) {
    if (open != null) {
      throw new BinlogException("a new file in the middle of a transaction");
    }
    ByteBuf buf = event.bytes();
    int name = event.body() + 8;
    String next = buf.toString(name, event.bodyEnd() - name, StandardCharsets.UTF_8);
    file = next;
    offset = buf.getLongLE(event.body());
    // another life of the mysqld may have written the file, and numbered its tables anew
    tablesById.clear();
    txLog = null;
    txLogId = -1;
  }

  private void format(Event event) {
    if (event.bytes().getUnsignedByte(event.bodyEnd() - 1) != CRC32_ALGORITHM) {
      throw new BinlogException("binlog_checksum is not CRC32");
    }
    if (event.inLog()) {
      advance(event);
    }
  }

  /** Events carry 32 bits of their place; a large transaction may go beyond. */
  private void advance(Event event) {
    long end = offset & ~0xffff_ffffL | event.endPosition();
    offset = end < offset ? end + (1L << 32) : end;
  }

  private void begin(Event event, GtidEvent gtid) {
    if (open != null) {
      throw new BinlogException("a GTID in the middle of the transaction " + open.gtid());
    }
    if (file.isEmpty()) {
      throw new BinlogException("a transaction before the file was named");
    }
    advance(event);
    open = gtid;
    endOffset = offset - event.length() + gtid.transactionLength();
    keptLength = 0;
    kept = gtid.transactionLength() <= keptBytes ? new byte[(int) gtid.transactionLength()] : null;
    if (kept == null) {
      longOnes.begins(gtid.gtid(), gtid.transactionLength());
    }
    keep(event);
  }

  /** After the last event. */
  BinlogPosition position() {
    return new BinlogPosition(file, offset);
  }

  private void keep(Event event) {
    byte[] into = kept;
    if (into == null) {
      longOnes.take(event.bytes(), event.start(), event.length());
      return;
    }
    if (event.length() > into.length - keptLength) {
      throw new BinlogException("a transaction that is longer than it said");
    }
    event.bytes().getBytes(event.start(), into, keptLength, event.length());
    keptLength += event.length();
  }

  private void inTransaction(Event event) {
    GtidEvent gtid = open;
    if (gtid == null) {
      throw new BinlogException("an event of type " + event.type() + " outside of a transaction");
    }
    advance(event);
    keep(event);
    switch (event.type()) {
      case EventType.QUERY -> query(event);
      case EventType.TABLE_MAP -> table(event);
      case EventType.WRITE_ROWS -> rows(event);
      case EventType.XA_PREPARE -> xaPrepare(event);
      case EventType.TRANSACTION_PAYLOAD ->
          throw new BinlogException(
              gtid.gtid() + " is compressed: binlog_transaction_compression must be OFF");
      default -> {}
    }
    if (offset >= endOffset) {
      end(gtid, event.ackWanted());
    }
  }

  private void query(Event event) {
    ByteBuf buf = event.bytes();
    int body = event.body();
    connectionId = buf.getUnsignedIntLE(body);
    int schema = buf.getUnsignedByte(body + 8);
    int status = buf.getUnsignedShortLE(body + 11);
    int from = body + QUERY_POST_HEADER + status + schema + 1;
    int length = Math.min(event.bodyEnd() - from, STATEMENT_START);
    String text = buf.toString(from, length, StandardCharsets.ISO_8859_1);
    boolean bare = kind == null;
    if (text.equals("BEGIN")
        || text.equals("COMMIT")
        || text.equals("ROLLBACK")
        || text.startsWith("XA START ")
        || text.startsWith("XA END ")
        || text.startsWith("ROLLBACK TO ")) {
      return;
    }
    if (text.startsWith("SAVEPOINT ")) {
      DecisionMark.in(text).ifPresent(decision -> kind = decision);
      return;
    }
    Optional<Xid> xid = text.startsWith("XA ") ? Xid.in(text) : Optional.empty();
    if (bare && xid.isPresent() && text.startsWith("XA COMMIT ")) {
      kind = new XaCommit(xid.get());
    } else if (bare && xid.isPresent() && text.startsWith("XA ROLLBACK ")) {
      kind = new XaRollback(xid.get());
    } else {
      kind = new Statement();
    }
  }

  private void table(Event event) {
    long id = TableMap.tableId(event);
    TableName name = tablesById.get(id);
    if (name == null) {
      if (tablesById.size() >= KNOWN_TABLES) {
        tablesById.clear();
      }
      name = TableMap.name(event);
      tablesById.put(id, name);
    }
    if (!tables.contains(name)) {
      tables.add(name);
    }
    if (id != txLogId && name.equals(TableName.TX_LOG)) {
      txLog = TableMap.parse(event);
      txLogId = id;
    }
  }

  private void rows(Event event) {
    TableMap decisions = txLog;
    if (decisions != null && kind == null && TableMap.tableId(event) == txLogId) {
      kind = DecisionRow.parse(event, decisions);
    }
  }

  /** one phase 1 | format 4 | gtrid length 4 | bqual length 4 | both. */
  private void xaPrepare(Event event) {
    ByteBuf buf = event.bytes();
    int body = event.body();
    int gtrid = buf.getIntLE(body + 5);
    int bqual = buf.getIntLE(body + 9);
    Xid xid =
        new Xid(
            buf.getIntLE(body + 1),
            buf.toString(body + 13, gtrid, StandardCharsets.ISO_8859_1),
            buf.toString(body + 13 + gtrid, bqual, StandardCharsets.ISO_8859_1));
    kind = buf.getByte(body) == 0 ? new XaPrepare(xid) : new OnePhase(xid);
  }

  private void end(GtidEvent gtid, boolean ackWanted) {
    byte[] bytes = kept;
    if (offset != endOffset || bytes != null && keptLength != bytes.length) {
      throw new BinlogException("the transaction " + gtid.gtid() + " has not the length it said");
    }
    TransactionKind what = kind;
    BinlogTransaction whole =
        new BinlogTransaction(
            gtid.gtid(),
            position(),
            gtid.transactionLength(),
            ackWanted,
            what == null ? new Commit() : what,
            connectionId,
            List.copyOf(tables),
            bytes == null ? Optional.empty() : Optional.of(new EventBytes(bytes)));
    open = null;
    kept = null;
    kind = null;
    connectionId = 0;
    tables.clear();
    consumer.accept(whole);
  }
}
