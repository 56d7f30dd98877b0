package io.alrai.cn.command;

import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.prepared.VariableParameters;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.VariableLiteral;
import io.alrai.cn.settings.VariableValue;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminTraits;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.ParameterSource;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * PREPARE, EXECUTE and DEALLOCATE PREPARE: statements that the session knows by name. Event loop
 * only.
 */
final class NamedStatements {
  private final ClientConnection connection;
  private final StatementPlanner planner;

  /** Names are compared without case. */
  private final KeptStatements<String> byName;

  /** What EXECUTE runs. */
  record Execution(PlannedStatement planned, byte[] sql) {}

  NamedStatements(ClientConnection connection, StatementPlanner planner) {
    this.connection = connection;
    this.planner = planner;
    this.byName =
        new KeptStatements<>(
            connection.services().clients().sessions().prepared(),
            new TreeMap<>(String.CASE_INSENSITIVE_ORDER));
  }

  /** The client has left. */
  void gone() {
    byName.close();
  }

  /** Forgets all: RESET_CONNECTION, CHANGE_USER. */
  void clear() {
    byName.clear();
  }

  /**
   * PREPARE: the planner and a mysqld say whether the statement is right, before anything is kept.
   * An earlier statement of that name is dropped in any case.
   *
   * @throws AlraiException what is wrong with the text
   */
  void prepare(
      AdminStatement.Prepare prepare,
      int moreFlag,
      int sequence,
      PinnedForward.Completion completion) {
    prepare(
        prepare,
        error -> {
          if (error == null) {
            ok("Statement prepared", moreFlag, sequence, completion);
          } else {
            CommandErrors.send(connection, error, sequence);
            completion.done(sequence + 1, true);
          }
        });
  }

  /** As above, for a caller that answers the client itself. */
  void prepare(AdminStatement.Prepare prepare, PreparedCheck.Outcome told) {
    Session session = connection.session();
    byName.remove(prepare.name());
    String text =
        prepare.fromVariable()
            ? VariableValue.of(
                    session
                        .variables()
                        .ofUser()
                        .getOrDefault(prepare.source(), VariableLiteral.NULL))
                .text()
            : prepare.source();
    byte[] sql = text.getBytes(session.variables().lexicalMode().charset());
    byName.requireRoom(sql.length);
    int count = planner.scan(session, sql, sql.length);
    if (count != 1) {
      throw count == 0
          ? new AlraiException(ErrorCode.ER_EMPTY_QUERY, "Query was empty")
          : new AlraiException(
              ErrorCode.ER_PARSE_ERROR,
              "You have an error in your SQL syntax; a prepared statement holds one statement");
    }
    ShapedText shaped = planner.snapshot();
    PreparedStatement statement = new PreparedStatement(0, sql, shaped);
    Work work = planner.plan(session, shaped, ParameterSource.NONE).planned().work();
    if (isOfTheCn(work)) {
      statement.parameters(parameters(shaped));
      byName.put(prepare.name(), statement);
      told.checked(null);
      return;
    }
    PreparedCheck.Outcome outcome =
        error -> {
          if (error == null) {
            byName.put(prepare.name(), statement);
          }
          told.checked(error);
        };
    PreparedCheck.of(connection, statement, outcome);
  }

  /**
   * Whether the CN itself must judge it: mysqlds may not understand it, or it cannot be prepared.
   */
  private static boolean isOfTheCn(Work work) {
    if (!(work instanceof Work.Administrative admin)) {
      return false;
    }
    return switch (AdminTraits.of(admin.statement()).preparation()) {
      case NONE -> throw notPreparable();
      case CN -> true;
      case MYSQLD -> false;
    };
  }

  private static AlraiException notPreparable() {
    return new AlraiException(
        ErrorCode.ER_UNSUPPORTED_PS,
        "This command is not supported in the prepared statement protocol yet");
  }

  private static int parameters(ShapedText shaped) {
    int count = 0;
    for (int slot = 0; slot < shaped.slotCount(); slot++) {
      count += shaped.isParameter(slot) ? 1 : 0;
    }
    return count;
  }

  private void ok(String info, int moreFlag, int sequence, PinnedForward.Completion completion) {
    Session session = connection.session();
    session.last().rowCount(0);
    session.last().diagnostics(Diagnostics.NONE);
    ByteBuf out = connection.channel().alloc().buffer(64);
    Packets.writeOk(out, sequence, new OkPacket(0, 0, session.statusFlags() | moreFlag, 0, info));
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    completion.done(sequence + 1, false);
  }

  /**
   * EXECUTE: the statement with the variables' values.
   *
   * @throws AlraiException 1243 for an unknown name, 1210 for another number of variables
   */
  Execution execution(AdminStatement.Execute execute) {
    PreparedStatement statement = find(execute.name(), "EXECUTE");
    if (statement.parameters() != execute.variables().size()) {
      throw new AlraiException(ErrorCode.ER_WRONG_ARGUMENTS, "Incorrect arguments to EXECUTE");
    }
    Session session = connection.session();
    List<VariableValue> values =
        execute.variables().stream()
            .map(name ->
                VariableValue.of(
                    session.variables().ofUser().getOrDefault(name, VariableLiteral.NULL)))
            .toList();
    PlannedStatement planned =
        planner.plan(
            session, statement.shaped(), new VariableParameters(values, statement.shaped().mode()));
    return new Execution(givingBack(planned, execute.variables()), statement.sql());
  }

  /** A CALL gives its OUT parameters to the variables that stand for its question marks. */
  private static PlannedStatement givingBack(PlannedStatement planned, List<String> variables) {
    if (!(planned.planned().work() instanceof Work.Administrative(AdminStatement.Call call))) {
      return planned;
    }
    List<AdminStatement.CallArgument> arguments =
        call.arguments().stream()
            .map(argument -> ofVariable(argument, planned.statement(), variables))
            .toList();
    AdminStatement named = new AdminStatement.Call(call.name(), arguments);
    return new PlannedStatement(
        new Planned(new Work.Administrative(named), planned.planned().exactTextOnly()),
        planned.statement(),
        planned.values());
  }

  private static AdminStatement.CallArgument ofVariable(
      AdminStatement.CallArgument argument, ShapedStatement statement, List<String> variables) {
    int parameter = argument.slot() < 0 ? -1 : statement.parameter(argument.slot());
    return parameter < 0
        ? argument
        : new AdminStatement.CallArgument(
            argument.value(), argument.slot(), variables.get(parameter));
  }

  /**
   * DEALLOCATE PREPARE.
   *
   * @throws AlraiException 1243 for an unknown name
   */
  void deallocate(
      AdminStatement.Deallocate deallocate,
      int moreFlag,
      int sequence,
      PinnedForward.Completion completion) {
    deallocate(deallocate);
    ok("", moreFlag, sequence, completion);
  }

  /** As above, for a caller that answers the client itself. */
  void deallocate(AdminStatement.Deallocate deallocate) {
    find(deallocate.name(), "DEALLOCATE PREPARE");
    byName.remove(deallocate.name());
  }

  private PreparedStatement find(String name, String verb) {
    @Nullable PreparedStatement statement = byName.get(name);
    if (statement == null) {
      throw new AlraiException(
          ErrorCode.ER_UNKNOWN_STMT_HANDLER,
          "Unknown prepared statement handler (" + name + ") given to " + verb);
    }
    return statement;
  }
}
