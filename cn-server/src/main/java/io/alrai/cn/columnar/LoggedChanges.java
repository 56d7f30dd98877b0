package io.alrai.cn.columnar;

import io.alrai.columnar.subscribe.DnSubscription;
import io.alrai.common.changelog.LogRecord;
import io.alrai.common.changelog.TableChanges;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.Collations;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.LoggedStatement;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.TransactionRows;
import io.alrai.dn.binlog.Xid;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Gives the transactions of a DN's log to the partitions that follow it. What cannot be followed
 * makes the partitions that it concerns unusable, with the reason. Belongs to the follower's
 * thread.
 */
final class LoggedChanges {
  /** Statements that the log has as text and that leave rows and columns as they are. */
  private static final Set<String> HARMLESS =
      Set.of(
          "BEGIN",
          "COMMIT",
          "ROLLBACK",
          "SAVEPOINT",
          "XA",
          "ANALYZE",
          "OPTIMIZE",
          "REPAIR",
          "FLUSH",
          "GRANT",
          "REVOKE",
          "SET");

  /** CREATE, ALTER and DROP VIEW, as a mysqld logs them and as they are sent. */
  private static final Pattern OF_VIEW =
      Pattern.compile(
          "(CREATE( OR REPLACE)?|ALTER|DROP)( ALGORITHM ?= ?\\w+)?( DEFINER ?= ?\\S+)?"
              + "( SQL SECURITY \\w+)? VIEW .*");

  private static final Pattern COMMENT = Pattern.compile("\\s+|/\\*.*?\\*/", Pattern.DOTALL);

  private final DnSubscription partitions;
  private final Set<TableName> followed;
  private final TransactionRows rows;

  /**
   * For the partitions of one DN.
   *
   * @param followed their physical tables; grows and shrinks on other threads
   */
  LoggedChanges(Collations collations, DnSubscription partitions, Set<TableName> followed) {
    this.partitions = partitions;
    this.followed = followed;
    this.rows = new TransactionRows(collations, followed::contains);
  }

  /**
   * The next transaction.
   *
   * @param stamp empty when it is not known
   */
  void accept(BinlogTransaction transaction, Optional<HlcTimestamp> stamp) {
    switch (transaction.kind()) {
      case TransactionKind.Commit plain -> committed(transaction, stamp);
      case TransactionKind.Decision decision -> committed(transaction, stamp);
      case TransactionKind.OnePhase plain -> committed(transaction, stamp);
      case TransactionKind.Tombstone none -> {}
      case TransactionKind.XaPrepare prepare ->
          partitions.accept(new LogRecord.Prepared(name(prepare.xid()), changes(transaction)));
      case TransactionKind.XaCommit commit -> {
        if (stamp.isPresent()) {
          partitions.accept(new LogRecord.BranchCommitted(name(commit.xid()), stamp.get()));
        } else {
          partitions.lost("a commit without a known stamp");
        }
      }
      case TransactionKind.XaRollback gone ->
          partitions.accept(new LogRecord.BranchRolledBack(name(gone.xid())));
      case TransactionKind.Statement statement -> statements(transaction);
    }
  }

  private static String name(Xid xid) {
    return xid.format() + ":" + xid.gtrid() + ":" + xid.bqual();
  }

  private void committed(BinlogTransaction transaction, Optional<HlcTimestamp> stamp) {
    List<TableChanges> changes = changes(transaction);
    if (changes.isEmpty()) {
      return;
    }
    if (stamp.isPresent()) {
      partitions.accept(new LogRecord.Committed(stamp.get(), changes));
    } else {
      changes.forEach(
          one -> partitions.fail(one.schema(), one.table(), "a commit without a known stamp"));
    }
  }

  private List<TableChanges> changes(BinlogTransaction transaction) {
    try {
      return rows.decode(transaction);
    } catch (BinlogException e) {
      transaction
          .tables()
          .forEach(
              name -> partitions.fail(name.schema(), name.table(), String.valueOf(e.getMessage())));
      return List.of();
    }
  }

  /** DDL on a table that is followed: its rows or columns are others now. */
  private void statements(BinlogTransaction transaction) {
    if (followed.isEmpty()) {
      return;
    }
    List<LoggedStatement> statements;
    try {
      statements = LoggedStatement.of(transaction);
    } catch (BinlogException e) {
      partitions.lost(String.valueOf(e.getMessage()));
      return;
    }
    for (LoggedStatement statement : statements) {
      if (!isHarmless(statement.text())) {
        String text = statement.text().toLowerCase(Locale.ROOT);
        for (TableName name : followed) {
          boolean schema =
              statement.schema().equals(name.schema())
                  || text.contains(name.schema().toLowerCase(Locale.ROOT));
          if (schema && text.contains(name.table().toLowerCase(Locale.ROOT))) {
            partitions.fail(name.schema(), name.table(), "the table was changed by DDL");
          }
        }
      }
    }
  }

  private static boolean isHarmless(String text) {
    String bare = COMMENT.matcher(text).replaceAll(" ").strip().toUpperCase(Locale.ROOT);
    String[] words = bare.split("[ (`;]+", 3);
    boolean index =
        words.length > 1
            && (words[0].equals("CREATE") || words[0].equals("DROP"))
            && (words[1].equals("INDEX") || words[1].equals("UNIQUE"));
    // logged with whatever schema the connection was in
    boolean account = words.length > 1 && (words[1].equals("USER") || words[1].equals("ROLE"));
    return index || account || HARMLESS.contains(words[0]) || OF_VIEW.matcher(bare).matches();
  }
}
