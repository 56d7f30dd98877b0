package io.alrai.dn.link;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * A transaction that a client has prepared by XA PREPARE, as its primary's row in alrai.tx_log says
 * until a client decides: {@link #STAMP} as its commit timestamp, and as its participants
 *
 * <pre>dn-1,dn-2;116345678901234567;1:6774726964:627175616c</pre>
 *
 * the DNs of its branches, the largest of their prepare timestamps, and the client's xid: format,
 * gtrid and branch qualifier, these in hexadecimal.
 *
 * @param participants the DNs that have a branch; the primary only if it has one
 * @param prepared it commits at or above this
 * @param xid the client's, in this form
 */
public record ClientPrepared(
    TransactionId id, List<DnId> participants, HlcTimestamp prepared, String xid) {
  /** The commit timestamp that marks such a row: no clock gives one as low. */
  public static final long STAMP = 1;

  private static final int MOST_BYTES = 1_024;

  public ClientPrepared {
    participants = List.copyOf(participants);
  }

  /** Reads a row. */
  public static ClientPrepared of(String txid, String participants) {
    String[] parts = participants.split(";", -1);
    List<DnId> dns = new ArrayList<>();
    for (String name : parts[0].split(",", -1)) {
      if (!name.isEmpty()) {
        dns.add(new DnId(name));
      }
    }
    HlcTimestamp prepared = new HlcTimestamp(Long.parseLong(parts[1]));
    return new ClientPrepared(TransactionId.parse(txid), dns, prepared, parts[2]);
  }

  /** Whether the row has room for it. */
  public boolean fits() {
    return column().length() <= MOST_BYTES;
  }

  /** Selects the rows of one xid, or all rows if it is empty. */
  public static Sql select(String xid) {
    Sql all = Sql.of("SELECT txid,participants FROM alrai.tx_log WHERE commit_ts=").number(STAMP);
    return xid.isEmpty() ? all : all.words(" AND participants LIKE ").literal("%;" + xid);
  }

  /** Writes the row; fails where the transaction has been aborted for good. */
  public Sql insert() {
    return Sql.of("INSERT INTO alrai.tx_log (txid,commit_ts,participants) VALUES (")
        .add(XaName.bytes(id.gtrid()))
        .words(",")
        .number(STAMP)
        .words(",")
        .add(XaName.bytes(column()))
        .words(")");
  }

  /** Begins a transaction that locks its row; returns a row if nobody has decided. */
  public Sql claim() {
    return Sql.of("START TRANSACTION READ WRITE;SELECT 1 FROM alrai.tx_log")
        .add(where())
        .words(" FOR UPDATE;");
  }

  /** Deletes the row, so that a decision can be written in its place in the same transaction. */
  public Sql delete() {
    return Sql.of("DELETE FROM alrai.tx_log").add(where());
  }

  /** Aborts it for good, if nobody has decided. */
  public Sql abort() {
    return Sql.of(
            "UPDATE alrai.tx_log SET commit_ts=0,participants='',created=CURRENT_TIMESTAMP(3)")
        .add(where());
  }

  private Sql where() {
    return Sql.of(" WHERE txid=")
        .add(XaName.bytes(id.gtrid()))
        .words(" AND commit_ts=")
        .number(STAMP);
  }

  private String column() {
    StringJoiner names = new StringJoiner(",");
    participants.forEach(dn -> names.add(dn.name()));
    return names + ";" + prepared.value() + ";" + xid;
  }
}
