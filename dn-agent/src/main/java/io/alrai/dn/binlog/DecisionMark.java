package io.alrai.dn.binlog;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A decision as the name of a savepoint, which mysqld writes to its log with the transaction that
 * it is set in: no row, nothing to undo, nothing to delete later.
 *
 * <pre>SAVEPOINT `alrai:decided a:cn-1:m3k2:1z:dn-1 116345678901234567 dn-2,dn-3`</pre>
 *
 * the transaction's name, its commit timestamp and the DNs of its XA branches. The log has it only
 * if the transaction changed rows before.
 */
public final class DecisionMark {
  /** What no savepoint of a client may begin with. */
  public static final String PREFIX = "alrai:decided ";

  private static final String VERB = "SAVEPOINT ";

  /** The assembler reads no more of a statement. */
  private static final int MOST_CHARACTERS = 400;

  private DecisionMark() {}

  /**
   * The statement, to be run right before COMMIT.
   *
   * @return empty where there are no participants or too many for a name
   */
  public static Optional<Sql> statement(
      TransactionId id, HlcTimestamp commitTs, List<DnId> participants) {
    StringJoiner names = new StringJoiner(",");
    participants.forEach(dn -> names.add(dn.name()));
    Sql mark = Sql.of(VERB).name(PREFIX + id.gtrid() + " " + commitTs.value() + " " + names);
    return participants.isEmpty() || mark.text().length() > MOST_CHARACTERS
        ? Optional.empty()
        : Optional.of(mark);
  }

  /**
   * Reads it in the log, where it is quoted as the session's sql_mode says.
   *
   * @return empty for any other statement
   * @throws BinlogException for one that Alrai did not write
   */
  static Optional<TransactionKind.Decision> in(String statement) {
    int name = VERB.length() + 1;
    if (!statement.startsWith(VERB) || !statement.startsWith(PREFIX, name)) {
      return Optional.empty();
    }
    try {
      String[] parts =
          statement.substring(name + PREFIX.length(), statement.length() - 1).split(" ", -1);
      if (parts.length != 3) {
        throw new IllegalArgumentException(parts.length + " parts");
      }
      List<DnId> participants = new ArrayList<>();
      for (String dn : parts[2].split(",", -1)) {
        participants.add(new DnId(dn));
      }
      return Optional.of(
          new TransactionKind.Decision(
              TransactionId.parse(parts[0]),
              new HlcTimestamp(Long.parseLong(parts[1])),
              participants));
    } catch (IllegalArgumentException e) {
      throw new BinlogException("a decision that Alrai did not write: " + statement, e);
    }
  }
}
