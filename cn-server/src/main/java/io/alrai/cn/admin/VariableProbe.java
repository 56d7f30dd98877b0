package io.alrai.cn.admin;

import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.shard.BranchPreparation;
import io.alrai.cn.shard.Commands;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.StatusSink;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Has a mysqld check a SET and say what the variable is then. The branch is reset behind it, so
 * that no other session sees the change. Answers are remembered, as clients send the same SETs at
 * every connect. Blocking; thread-safe.
 */
final class VariableProbe {
  private static final int MAX_KEPT = 2_000;

  private record Question(SessionSettings settings, String name, String expression) {}

  private final ShardQueries queries;
  private final Map<Question, String> known = new ConcurrentHashMap<>();

  VariableProbe(ShardQueries queries) {
    this.queries = queries;
  }

  /**
   * The literal that a session variable has after {@code SET SESSION name = expression}.
   *
   * @throws AlraiException the mysqld's refusal
   */
  String literal(SessionSettings settings, String name, String expression) {
    Question question = new Question(settings, name, expression);
    String answer = known.get(question);
    if (answer == null) {
      answer = ask(settings, "SET SESSION " + name + "=" + expression, "@@SESSION." + name);
      if (known.size() < MAX_KEPT && expression.indexOf('@') < 0 && expression.indexOf('(') < 0) {
        known.put(question, answer);
      }
    }
    return answer;
  }

  /** The literal of an expression. */
  String evaluate(SessionSettings settings, String expression) {
    return ask(settings, "", expression);
  }

  private String ask(SessionSettings settings, String set, String expression) {
    ShardCall setting = new ShardCall(() -> {});
    Branch[] used = new Branch[1];
    ShardCall reading =
        new ShardCall(() -> {
          if (used[0] != null && set.isEmpty()) {
            used[0].release();
          }
        });
    queries.take(
        queries.links().any(),
        BackendAccount.DATA,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            used[0] = branch;
            BranchPreparation.queue(branch, settings, "");
            if (!set.isEmpty()) {
              send(branch, set, setting);
            }
            send(branch, "SELECT " + expression, reading);
            if (!set.isEmpty()) {
              reset(branch);
            }
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            setting.refuse(reason);
            reading.refuse(reason);
          }
        });
    if (set.isEmpty()) {
      try (reading) {
        return first(reading);
      }
    }
    try (reading;
        setting) {
      setting.update();
      return first(reading);
    }
  }

  /** Makes the branch forget the SET, and gives it back. */
  private static void reset(Branch branch) {
    branch.state().reset();
    branch.state().schema("");
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.RESET_CONNECTION, new byte[0]),
        ReplyKind.STATUS,
        new StatusSink(error -> {
          if (error == null) {
            branch.release();
          } else {
            branch.close();
          }
        }));
  }

  private static void send(Branch branch, String sql, ShardCall call) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, sql.getBytes(StandardCharsets.UTF_8)),
        ReplyKind.RESULTS,
        call);
  }

  private static String first(ShardCall call) {
    List<ColumnDefinition> columns = call.columns();
    byte[] row = call.nextRow();
    String value =
        row == null
            ? "NULL"
            : Objects.requireNonNullElse(ShardQueries.texts(row, 1).get(0), "NULL");
    boolean isNull = row == null || row[0] == (byte) 0xfb;
    call.status();
    if (isNull) {
      return "NULL";
    }
    ColumnDefinition column = columns.get(0);
    return column.type().isNumeric()
        ? value
        : "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
  }
}
