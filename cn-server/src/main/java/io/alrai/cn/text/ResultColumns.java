package io.alrai.cn.text;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.workload.WorkloadWish;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The columns of a SELECT over several places as one mysqld would give them: a UNION ALL over
 * partition groups, a merge and a gathered copy each lose tables, keys, widths or types. A mysqld
 * runs the client's own statement over the empty tables of the shadow schema, which tells them:
 * preparing it alone would not, since a temporary table changes types. Where no literal can change
 * them they are kept for the plan. Thread-safe.
 */
public final class ResultColumns {
  private static final int KEPT = 2048;
  private static final int LONGEST_KEPT = 1024;

  /** A text that gives more rows over empty tables makes them of constants: reading stops there. */
  private static final int MOST_ROWS = 1000;

  private final Map<Key, List<ColumnDefinition>> known = new ConcurrentHashMap<>();

  /** The shapes among these about whose texts a mysqld does not warn. */
  private final Set<Key> quiet = ConcurrentHashMap.newKeySet();

  /**
   * What decides the columns of a statement of which {@link Plan.Select#columnsByShape} is true.
   *
   * @param beginning of its text up to the first literal, one character for each byte: names
   */
  private record Key(Plan.Select plan, SessionSettings settings, String beginning) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that
          && plan == that.plan
          && settings == that.settings
          && beginning.equals(that.beginning);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(plan) * 31 + beginning.hashCode();
    }
  }

  /** The columns, if they are known without asking. */
  public Optional<List<ColumnDefinition>> known(StatementRun run, Plan.Select select) {
    return select.columnsByShape() && beginning(run) <= LONGEST_KEPT
        ? Optional.ofNullable(known.get(key(run, select)))
        : Optional.empty();
  }

  /**
   * The columns for the client; may ask a mysqld and wait.
   *
   * @param made as the rows have them: given back where a change of the table comes between
   */
  public List<ColumnDefinition> of(
      ExecutorParts parts, StatementRun run, Plan.Select select, List<ColumnDefinition> made) {
    List<ColumnDefinition> columns =
        exact(parts, run, select, PreparedShardStatement.keepsTypes(run, select));
    return columns.size() == made.size() ? columns : made;
  }

  /**
   * The columns of a text with the values of parameters in it, as a mysqld gives them now, or gave
   * them before; may ask one and wait.
   *
   * @return empty where it has warnings of the text, of more than a hint of Alrai's own
   */
  public Optional<List<ColumnDefinition>> ofText(
      ExecutorParts parts, StatementRun run, Plan.Select select) {
    Optional<List<ColumnDefinition>> told = known(run, select);
    if (told.isPresent() && quiet.contains(key(run, select))) {
      return told;
    }
    List<ColumnDefinition> columns;
    try (ShardCall call = parts.asText(run)) {
      columns = call.columns();
      if (warnings(call) > ofHint(run)) {
        return Optional.empty();
      }
    }
    columns = kept(parts, run, select, columns);
    if (known(run, select).isPresent()) {
      quiet.add(key(run, select));
    }
    return Optional.of(columns);
  }

  /** A mysqld does not know the hint, which is one warning. */
  private static int ofHint(StatementRun run) {
    return WorkloadWish.ofHint(run.statement().text()).isPresent() ? 1 : 0;
  }

  private static int warnings(ShardCall call) {
    try {
      int rows = 0;
      while (call.nextRow() != null) {
        rows++;
        if (rows > MOST_ROWS) {
          return 0;
        }
      }
      return call.status().warnings();
    } catch (AlraiException e) {
      return 0; // what fails over no rows may succeed over some
    }
  }

  private List<ColumnDefinition> exact(
      ExecutorParts parts, StatementRun run, Plan.Select select, boolean prepared) {
    return known(run, select).orElseGet(() -> ask(parts, run, select, prepared));
  }

  private List<ColumnDefinition> ask(
      ExecutorParts parts, StatementRun run, Plan.Select select, boolean prepared) {
    List<ColumnDefinition> columns;
    try (ShardCall call = prepared ? parts.asWritten(run) : parts.asText(run)) {
      columns = call.columns();
    }
    return kept(parts, run, select, columns);
  }

  private List<ColumnDefinition> kept(
      ExecutorParts parts, StatementRun run, Plan.Select select, List<ColumnDefinition> told) {
    List<ColumnDefinition> columns = told;
    if (select.namedByText() && hasParameters(run.statement())) {
      columns = parts.columnNames().of(run, columns);
    }
    if (select.columnsByShape() && beginning(run) <= LONGEST_KEPT) {
      if (known.size() >= KEPT) {
        known.clear();
        quiet.clear();
      }
      known.put(key(run, select), columns);
    }
    return columns;
  }

  /** Whether values stand in the text where the client has question marks, which name columns. */
  private static boolean hasParameters(ShapedStatement statement) {
    for (int slot = 0; slot < statement.slotCount(); slot++) {
      if (statement.isParameter(slot)) {
        return true;
      }
    }
    return false;
  }

  private static Key key(StatementRun run, Plan.Select select) {
    String text = new String(run.sql(), 0, beginning(run), StandardCharsets.ISO_8859_1);
    return new Key(select, run.session().variables().settings(), text);
  }

  private static int beginning(StatementRun run) {
    ShapedStatement statement = run.statement();
    return statement.slotCount() == 0 ? run.sql().length : statement.slotStart(0);
  }
}
