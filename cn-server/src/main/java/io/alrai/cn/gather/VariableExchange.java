package io.alrai.cn.gather;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.Collations;
import io.alrai.optimizer.api.AdminStatement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * What a SELECT that assigns and its session exchange: the connection that it runs on has the
 * session's variables as any has, is given LAST_INSERT_ID before, and is asked afterwards for what
 * was assigned. One virtual thread.
 */
public final class VariableExchange {
  private final Session session;
  private final AdminStatement.AssigningSelect statement;
  private final Collations collations;

  public VariableExchange(
      Session session, AdminStatement.AssigningSelect statement, Collations collations) {
    this.session = session;
    this.statement = statement;
    this.collations = collations;
  }

  /** Before the statement. {@code connection} starts others where it will run. */
  public void give(Function<Sql, ShardCall> connection) {
    if (statement.lastInsertId()) {
      Sql before = Sql.of("SET last_insert_id=").unsigned(session.last().lastInsertId());
      try (ShardCall call = connection.apply(before)) {
        call.update();
      }
    }
  }

  /**
   * Takes the variables back after it, even where it failed: what earlier rows assigned stays, as
   * in MySQL.
   */
  public void takeBack(Function<Sql, ShardCall> connection) {
    List<String> names = statement.variables();
    if (!names.isEmpty()) {
      List<Sql> quoted = names.stream().map(name -> Sql.of("@").name(name)).toList();
      try (ShardCall call = connection.apply(VariableReading.query(quoted))) {
        List<String> literals = VariableReading.literals(call, collations);
        Map<String, String> assigned = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
          assigned.put(names.get(i), literals.get(i));
        }
        session.variables().assign(assigned);
      }
    }
    if (statement.lastInsertId()) {
      try (ShardCall call = connection.apply(Sql.of("SELECT LAST_INSERT_ID()"))) {
        String id = Objects.requireNonNull(ShardQueries.rows(call).getFirst().getFirst());
        session.last().lastInsertId(Long.parseUnsignedLong(id));
      }
    }
  }

  /** Takes the variables back after an error, which the client gets in any case. */
  public void takeBackBehind(AlraiException error, Function<Sql, ShardCall> connection) {
    try {
      takeBack(connection);
    } catch (AlraiException lost) {
      error.addSuppressed(lost);
    }
  }
}
