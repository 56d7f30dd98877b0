package io.alrai.optimizer.api.planner;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.RowLock.OnLocked;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Two SELECTs of the rows that a statement is about to change or lock, as a client would write
 * them; their slots are the statement's.
 *
 * @param consistent reads them as of the transaction's snapshot
 * @param locking reads and locks the current ones
 */
public record TargetRows(SqlTemplate consistent, SqlTemplate locking) {
  private static final Pattern SUBQUERY = Pattern.compile("\\b(SELECT|TABLE|VALUES\\s+ROW)\\b");

  /**
   * Those of a data statement.
   *
   * @return empty where it finds no rows to change or lock: a plain SELECT, one with SKIP LOCKED,
   *     INSERT
   * @throws io.alrai.common.error.AlraiException 1235 for what reads other rows as well, and for a
   *     write that goes by unique keys
   */
  public static Optional<TargetRows> of(ShapedStatement statement, LexicalMode mode) {
    SourceText text =
        SourceText.of(statement.shape(), mode.ansiQuotes(), mode.noBackslashEscapes());
    return new Finder(text).of(StatementParser.parse(text));
  }

  private static final class Finder {
    private final String source;
    private final String upper;
    private final TextEdits edits;
    private final int end;

    Finder(SourceText text) {
      source = text.text();
      upper = source.toUpperCase(Locale.ROOT);
      edits = new TextEdits(text);
      String stripped = source.stripTrailing();
      end = stripped.endsWith(";") ? stripped.length() - 1 : stripped.length();
    }

    Optional<TargetRows> of(Statement statement) {
      return switch (statement) {
        case Statement.Select select -> locked(select.query());
        case Statement.Update update -> {
          int set = before("SET", update.assignments().getFirst().span().start());
          yield Optional.of(written(update.tables(), set, update.tail()));
        }
        case Statement.Delete delete ->
            Optional.of(written(delete.from(), clauses(delete.tail()), delete.tail()));
        case Statement.InsertQuery insert -> inserted();
        case Statement.InsertValues insert -> inserted();
      };
    }

    private Optional<TargetRows> inserted() {
      if (upper.startsWith("REPLACE") || upper.contains(" ON DUPLICATE KEY")) {
        throw unsupported("REPLACE and ON DUPLICATE KEY UPDATE; SELECT the row FOR UPDATE first");
      }
      return Optional.empty();
    }

    private TargetRows written(List<TableRef> tables, int tablesEnd, Statement.Tail tail) {
      if (SUBQUERY.matcher(upper).find()) {
        throw unsupported("an UPDATE or DELETE with a subquery; SELECT what it needs first");
      }
      if (tables.getFirst() instanceof TableRef.Group) {
        throw unsupported("an UPDATE or DELETE whose tables stand in parentheses");
      }
      SqlTemplate consistent =
          new SqlBuilder()
              .text("SELECT * FROM ")
              .template(edits.of(new Span(tables.getFirst().span().start(), tablesEnd)))
              .text(" ")
              .template(edits.of(new Span(clauses(tail), end)))
              .build();
      return new TargetRows(
          consistent, new SqlBuilder().template(consistent).text(" FOR UPDATE").build());
    }

    /** Where WHERE, ORDER BY or LIMIT starts. */
    private int clauses(Statement.Tail tail) {
      if (tail.where().isPresent()) {
        return before("WHERE", tail.where().get().span().start());
      }
      return tail.orderBy().isEmpty()
          ? tail.limit().map(limit -> limit.span().start()).orElse(end)
          : order(tail.orderBy());
    }

    private int order(List<OrderItem> items) {
      return before("ORDER", items.getFirst().span().start());
    }

    private int before(String keyword, int position) {
      return upper.lastIndexOf(keyword, position);
    }

    private Optional<TargetRows> locked(Query query) {
      if (query.locking().isEmpty()
          || query.locking().stream().anyMatch(lock -> lock.onLocked() == OnLocked.SKIP)) {
        return Optional.empty();
      }
      query.into().ifPresent(edits::remove);
      SqlTemplate locks =
          new SqlBuilder()
              .text(
                  String.join(
                      " ", query.locking().stream().map(lock -> lock.span().of(source)).toList()))
              .build();
      SqlTemplate rows;
      if (query.body() instanceof Query.Block block && isOfWholeRows(query, block)) {
        int from = before("FROM", block.from().getFirst().span().start());
        rows =
            new SqlBuilder()
                .text("SELECT * ")
                .template(edits.of(new Span(from, firstClauseBehind(query))))
                .build();
      } else {
        query.locking().forEach(lock -> edits.remove(lock.span()));
        rows = edits.of(new Span(0, end));
      }
      return Optional.of(
          new TargetRows(rows, new SqlBuilder().template(rows).text(" ").template(locks).build()));
    }

    /**
     * Whether all of the rows that meet its conditions are locked, so that they can be compared.
     */
    private boolean isOfWholeRows(Query query, Query.Block block) {
      return query.with().isEmpty()
          && query.limit().isEmpty()
          && !block.from().isEmpty()
          && block.grouping().isEmpty()
          && block.windows().isEmpty()
          && block.qualify().isEmpty()
          && !SUBQUERY.matcher(upper.substring(block.selection().span().end())).find();
    }

    private int firstClauseBehind(Query query) {
      List<Integer> starts = new ArrayList<>();
      starts.add(query.locking().getFirst().span().start());
      int from = query.body().span().end();
      query.into().filter(into -> into.start() >= from).ifPresent(into -> starts.add(into.start()));
      if (!query.orderBy().isEmpty()) {
        starts.add(order(query.orderBy()));
      }
      return starts.stream().min(Integer::compare).orElseThrow();
    }

    private static RuntimeException unsupported(String what) {
      return Planning.unsupported("with snapshot_isolation_conflicts=ON " + what);
    }
  }
}
