package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.session.VariableLiteral;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.tx.RowAccess;
import io.alrai.cn.tx.TransactionBranch;
import io.alrai.common.type.Collations;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.optimizer.api.AdminStatement;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * SELECTs that assign user variables, or LAST_INSERT_ID. They run at one place inside a
 * transaction, so that the same connection can be asked afterwards what it has. Virtual threads.
 */
final class AssigningSelects {
  private final SelectExecutor selects;

  AssigningSelects(SelectExecutor selects) {
    this.selects = selects;
  }

  /** Runs one and answers the client. */
  void run(StatementRun run, AdminStatement.AssigningSelect statement, Collations collations) {
    Session session = run.session();
    ShardPlace place =
        selects
            .onlyPlace(run, statement.query())
            .orElseThrow(() ->
                ExecuteErrors.unsupported(
                    "':=' and LAST_INSERT_ID(..) in a SELECT over several shards; use SET @name ="
                        + " (SELECT ...)"));
    if (statement.query().foundRows().flatMap(Plan.FoundRows::limit).isPresent()) {
      throw ExecuteErrors.unsupported(
          "':=' and LAST_INSERT_ID(..) in a SELECT with SQL_CALC_FOUND_ROWS and LIMIT; run SELECT"
              + " COUNT(*) as a second statement");
    }
    announce(session, statement.variables());
    int status = run.statusFlags();
    int[] warnings = new int[1];
    boolean own = !session.transaction().open();
    if (own) {
      onLoop(run, () -> session.transaction().beginForStatement());
    }
    boolean done = false;
    try {
      onLoop(run, session.transaction().views()::keepSnapshot);
      if (statement.lastInsertId()) {
        String before = Long.toUnsignedString(session.lastInsertId());
        byte[] set = bytes("SET last_insert_id=" + before);
        try (ShardCall call = run.shards().start(place.dn(), "", set, RowAccess.NONE)) {
          call.update();
        }
      }
      selects.stream(run, statement.query(), place, status, warnings);
      read(run, place, statement, collations);
      done = true;
    } finally {
      onLoop(run, () -> remember(session, place));
      if (own && session.transaction().open()) {
        run.shards().onLoop(done ? session.transaction()::commit : session.transaction()::rollback);
      }
    }
    run.writer().end(warnings[0], status);
  }

  /** From now on backends know that these are the session's, to be taken back from others. */
  private static void announce(Session session, List<String> variables) {
    Map<String, String> unset = new HashMap<>();
    for (String name : variables) {
      if (!session.userVariables().containsKey(name)) {
        unset.put(name, VariableLiteral.NULL);
      }
    }
    if (!unset.isEmpty()) {
      session.assign(unset);
    }
  }

  private static void read(
      StatementRun run,
      ShardPlace place,
      AdminStatement.AssigningSelect statement,
      Collations collations) {
    Session session = run.session();
    List<String> names = statement.variables();
    if (!names.isEmpty()) {
      List<String> quoted = names.stream().map(SessionSettings::quotedUserVariable).toList();
      byte[] query = VariableReading.query(quoted);
      try (ShardCall call = run.shards().start(place.dn(), "", query, RowAccess.NONE)) {
        List<String> literals = VariableReading.literals(call, collations);
        Map<String, String> assigned = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
          assigned.put(names.get(i), literals.get(i));
        }
        session.assign(assigned);
      }
    }
    if (statement.lastInsertId()) {
      byte[] query = bytes("SELECT LAST_INSERT_ID()");
      try (ShardCall call = run.shards().start(place.dn(), "", query, RowAccess.NONE)) {
        String id = Objects.requireNonNull(ShardQueries.rows(call).getFirst().getFirst());
        session.lastInsertId(Long.parseUnsignedLong(id));
      }
    }
  }

  /** The connection has the new values already. */
  private static void remember(Session session, ShardPlace place) {
    TransactionBranch branch = session.transaction().existing(place.dn());
    if (branch != null) {
      branch.branch().state().settings(session.shardSettings());
    }
  }

  private static void onLoop(StatementRun run, Runnable action) {
    run.shards()
        .onLoop(() -> {
          action.run();
          return CompletableFuture.completedFuture(null);
        });
  }

  private static byte[] bytes(String sql) {
    return sql.getBytes(StandardCharsets.UTF_8);
  }
}
