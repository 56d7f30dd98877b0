package io.alrai.optimizer.api.planner;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.LockCall;
import io.alrai.optimizer.api.AdminStatement.LockCalls;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.token.NamedLocks;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.route.LabelEdits;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.Refusals;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.SelectItems;
import io.alrai.optimizer.syntax.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * SELECT without tables, and DO, that call GET_LOCK and its like: they run on the connection that
 * keeps the session's locks.
 */
final class NamedLockPlanner {
  /**
   * The session of a connection that has a lock is noted there in a user variable. RAND() has it
   * evaluated in its turn, after a GET_LOCK before it in the list, and not when it is planned.
   */
  private static final String OWNER =
      "(SELECT CAST(alrai_v.VARIABLE_VALUE AS UNSIGNED) FROM performance_schema.threads alrai_t"
          + " JOIN performance_schema.user_variables_by_thread alrai_v"
          + " ON alrai_v.THREAD_ID=alrai_t.THREAD_ID WHERE alrai_v.VARIABLE_NAME='"
          + AdminStatement.NamedLocks.OWNER_VARIABLE
          + "' AND alrai_t.PROCESSLIST_ID=FLOOR(RAND())+IS_USED_LOCK";

  private NamedLockPlanner() {}

  /**
   * Plans a query, if it is one of these.
   *
   * @param into the variables that the client wants the row in
   * @param hasRows whether the client gets the rows
   * @throws AlraiException 1235 for VALUES; 1222 for another number of variables than columns
   */
  static Optional<AdminStatement.NamedLocks> plan(
      Planning planning, Statement.Select select, List<String> into, boolean hasRows) {
    if (planning.text().mentions().stream().noneMatch(NamedLockPlanner::isMentioned)) {
      return Optional.empty();
    }
    if (select.query().body() instanceof Query.Values values) {
      values.cells().forEach(cell -> cell.walk(Refusals::check));
    }
    Analysis analysis = planning.newAnalysis();
    analysis.query(select.query());
    List<Expr.Call> calls = calls(analysis);
    if (calls.isEmpty() || !analysis.tables().isEmpty() || analysis.systemTables()) {
      return Optional.empty();
    }
    checkCount(select.query(), into);
    TextEdits edits = planning.edits().copy();
    for (Expr.Call call : calls) {
      if (call.name().equals("IS_USED_LOCK")) {
        edits.replace(call.nameSpan(), OWNER);
        edits.replace(new Span(call.span().end() - 1, call.span().end()), "))");
      }
    }
    Span whole = new Span(0, planning.text().text().length());
    // blanks are not as the client wrote them, in names of columns they have to be
    Span first = new Span(0, 1);
    edits.replace(first, first.of(planning.text().text()));
    LabelEdits.ofWholeText(planning, edits);
    return Optional.of(
        new AdminStatement.NamedLocks(edits.of(whole), told(select.query(), calls), into, hasRows));
  }

  /** Before any lock is there. */
  private static void checkCount(Query query, List<String> into) {
    List<SelectItem> items = SelectItems.naming(query);
    boolean known = items.stream().noneMatch(item -> item.expr() instanceof Expr.Star);
    if (!into.isEmpty() && known && items.size() != into.size()) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
          "The used SELECT statements have a different number of columns");
    }
  }

  private static boolean isMentioned(Mention mention) {
    return (mention.what() == Mention.What.NAME || mention.what() == Mention.What.CALL)
        && NamedLocks.isFunction(mention.text().toUpperCase(Locale.ROOT));
  }

  private static List<Expr.Call> calls(Analysis analysis) {
    List<Expr.Call> found = new ArrayList<>();
    for (BlockFacts facts : analysis.blocks()) {
      facts
          .expressions()
          .forEach(expr ->
              expr.walk(inner -> {
                if (Functions.isNamedLock(inner)) {
                  found.add((Expr.Call) inner);
                }
              }));
    }
    return found;
  }

  private static LockCalls told(Query query, List<Expr.Call> calls) {
    long changing = calls.stream().filter(call -> kind(call) != LockCall.OTHER).count();
    boolean takes = calls.stream().anyMatch(call -> kind(call) == LockCall.GET);
    Optional<List<LockCall>> columns = Optional.empty();
    if (query.body() instanceof Query.Block block && isPlain(query, block)) {
      List<LockCall> kinds =
          block.selection().items().stream().map(NamedLockPlanner::kind).toList();
      if (kinds.stream().filter(kind -> kind != LockCall.OTHER).count() == changing) {
        columns = Optional.of(kinds);
      }
    }
    return new LockCalls(takes, columns);
  }

  /** Whether its list is evaluated once for each row that it gives. */
  private static boolean isPlain(Query query, Query.Block block) {
    return query.with().isEmpty()
        && query.orderBy().isEmpty()
        && query.limit().flatMap(Query.Limit::offset).isEmpty()
        && block.from().isEmpty()
        && block.grouping().isEmpty()
        && block.windows().isEmpty()
        && block.qualify().isEmpty();
  }

  private static LockCall kind(SelectItem item) {
    return item.expr().bare() instanceof Expr.Call call ? kind(call) : LockCall.OTHER;
  }

  private static LockCall kind(Expr.Call call) {
    return switch (call.name()) {
      case "GET_LOCK" -> LockCall.GET;
      case "RELEASE_LOCK" -> LockCall.RELEASE;
      case "RELEASE_ALL_LOCKS" -> LockCall.RELEASE_ALL;
      default -> LockCall.OTHER;
    };
  }
}
