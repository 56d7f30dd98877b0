package io.alrai.dn.xa;

import io.alrai.dn.link.ClientPrepared;
import io.alrai.dn.xa.FakeMysqld.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table alrai.tx_log of a {@link FakeMysqld}, with its row locks: whoever would wait for one
 * gets the error of a timeout at once.
 */
final class FakeTxLog {
  private static final Pattern INSERT =
      Pattern.compile(
          "INSERT INTO alrai\\.tx_log .* VALUES \\((x'[0-9a-f]*'),(\\d+),(x?'[^']*').*");
  private static final Pattern COPIED = Pattern.compile("\\((x'[0-9a-f]*'),(\\d+),(x'[0-9a-f]*'),");
  private static final String CLIENTS = " AND commit_ts=" + ClientPrepared.STAMP;
  private static final Pattern ONE = Pattern.compile(".* WHERE txid=(x'[0-9a-f]*').*");

  record Row(long commitTs, String participants) {}

  /** What is committed. */
  final Map<String, Row> rows = new TreeMap<>();

  private final FakeMysqld mysqld;

  FakeTxLog(FakeMysqld mysqld) {
    this.mysqld = mysqld;
  }

  List<List<String>> run(FakeSession session, String sql) throws Refused {
    if (sql.startsWith("INSERT IGNORE")) {
      copy(session, sql);
      return List.of();
    }
    Matcher insert = INSERT.matcher(sql);
    if (insert.matches()) {
      insert(session, insert.group(1), Long.parseLong(insert.group(2)), insert.group(3));
      return List.of();
    }
    if (sql.startsWith("SELECT txid,commit_ts,participants")) {
      return decidedRows(Long.parseLong(sql.replaceAll(".*commit_ts<(\\d+).*", "$1")));
    }
    if (sql.startsWith("DELETE FROM alrai.tx_log WHERE txid IN (")) {
      for (String id : sql.substring(sql.indexOf('(') + 1, sql.length() - 1).split(",", -1)) {
        rows.remove(id);
      }
      return List.of();
    }
    Matcher one = ONE.matcher(sql);
    if (!one.matches()) {
      return List.of(); // old tombstones
    }
    String id = one.group(1);
    boolean locks = sql.startsWith("DELETE") || sql.endsWith("FOR UPDATE");
    if (locks) {
      lock(session, id);
    }
    Row row = rows.get(id);
    if (row == null || sql.contains(CLIENTS) && row.commitTs != ClientPrepared.STAMP) {
      return List.of();
    }
    if (locks && session.inTransaction) {
      session.pendingLog.put(id, Optional.of(row).filter(kept -> !sql.startsWith("DELETE")));
    }
    String value = sql.startsWith("SELECT 1") ? "1" : Long.toString(row.commitTs);
    return sql.startsWith("SELECT") ? List.of(List.of(value)) : List.of();
  }

  private void lock(FakeSession session, String id) throws Refused {
    if (mysqld.sessions().anyMatch(other -> other != session && other.pendingLog.containsKey(id))) {
      throw new Refused(1205, "Lock wait timeout exceeded");
    }
  }

  private void insert(FakeSession session, String id, long commitTs, String participants)
      throws Refused {
    lock(session, id);
    if (session.pendingLog.containsKey(id)
        ? session.pendingLog.get(id).isPresent()
        : rows.containsKey(id)) {
      throw new Refused(1062, "Duplicate entry");
    }
    session.pendingLog.put(id, Optional.of(new Row(commitTs, FakeMysqld.text(participants))));
    if (!session.inTransaction) {
      session.commitPlain();
    }
  }

  private void copy(FakeSession session, String sql) throws Refused {
    Matcher row = COPIED.matcher(sql);
    while (row.find()) {
      if (!rows.containsKey(row.group(1))) {
        insert(session, row.group(1), Long.parseLong(row.group(2)), row.group(3));
      }
    }
  }

  /**
   * What a session's transaction did.
   *
   * @return whether anything has changed
   */
  boolean commit(Map<String, Optional<Row>> pending, BiConsumer<String, Row> changed) {
    boolean any = false;
    for (Map.Entry<String, Optional<Row>> each : pending.entrySet()) {
      String id = each.getKey();
      Optional<Row> row = each.getValue();
      Row was = row.isPresent() ? rows.put(id, row.get()) : rows.remove(id);
      any |= !row.equals(Optional.ofNullable(was));
      row.filter(now -> !now.equals(was)).ifPresent(now -> changed.accept(id, now));
    }
    return any;
  }

  private List<List<String>> decidedRows(long below) {
    List<List<String>> found = new ArrayList<>();
    rows.forEach((id, row) -> {
      if (row.commitTs > ClientPrepared.STAMP && row.commitTs < below) {
        found.add(List.of(FakeMysqld.text(id), Long.toString(row.commitTs), row.participants));
      }
    });
    return found;
  }
}
