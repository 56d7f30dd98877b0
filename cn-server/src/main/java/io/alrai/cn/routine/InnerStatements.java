package io.alrai.cn.routine;

import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.util.List;

/** Runs the statements of a procedure and evaluates its expressions. One virtual thread. */
final class InnerStatements {
  private final SessionPath path;
  private final StatementRun call;
  private final DiagnosticsArea diagnostics;
  private final UsedTables used;

  InnerStatements(
      SessionPath path, StatementRun call, DiagnosticsArea diagnostics, UsedTables used) {
    this.path = path;
    this.used = used;
    this.call = call;
    this.diagnostics = diagnostics;
  }

  private Session session() {
    return call.session();
  }

  /** Runs the text with its variables as parameters. */
  void marked(Fragment fragment, List<LocalValue> values, ResultWriter writer) {
    run(fragment.marked(), new LocalParameters(values, fragment.rowCounts(), mode()), writer);
  }

  /** Runs the text with its variables as literals. */
  void filled(Fragment fragment, List<LocalValue> values, ResultWriter writer) {
    run(filled(fragment, values), ParameterSource.NONE, writer);
  }

  /** The text with its variables as literals. */
  String filled(Fragment fragment, List<LocalValue> values) {
    return fragment.filled(hole -> {
      LocalValue value = values.get(hole);
      String sql = value.sql(mode());
      return sql.startsWith("-") ? "(" + sql + ")" : sql;
    });
  }

  private LexicalMode mode() {
    return session().variables().lexicalMode();
  }

  /** Runs a text as the client's own statement. */
  void asClient(String sql, ParameterSource parameters) {
    run(sql, parameters, call.writer(), call.more());
  }

  private void run(String sql, ParameterSource parameters, ResultWriter writer) {
    run(sql, parameters, writer, true);
  }

  private void run(String sql, ParameterSource parameters, ResultWriter writer, boolean more) {
    ShapedText text = ShapedText.of(sql, mode());
    used.requireFree(text);
    PlannedStatement planned = path.plan(text, parameters);
    StatementRun inner =
        new StatementRun(
            session(),
            call.shards(),
            planned.statement(),
            text.textBytes(),
            planned.values(),
            writer,
            more,
            call.functions(),
            name -> {
              throw AlraiException.unsupported("'LOAD DATA' in a procedure");
            });
    path.run(inner, planned.planned().work());
  }

  /** The rows of a query. */
  KeptResult rows(Fragment query, List<LocalValue> values, long most) {
    KeptResult result = new KeptResult(call.writer().output(), most);
    call.shards()
        .copying(() -> {
          marked(query, values, result);
          return result;
        });
    return result;
  }

  /**
   * The value of an expression; what the session knows of its last statement stays.
   *
   * @throws AlraiException its error; 1241 for a row of several
   */
  LocalValue value(Fragment expression, List<LocalValue> values) {
    LocalValue quick = QuickExpression.value(expression, values);
    if (quick != null) {
      return quick;
    }
    KeptResult result = asked(expression.within("SELECT ", ""), values);
    if (result.kept().size() != 1) {
      throw new AlraiException(ErrorCode.ER_OPERAND_COLUMNS, "Operand should contain 1 column(s)");
    }
    return result.size() == 0 ? LocalValue.NULL : result.values(0).getFirst();
  }

  private KeptResult asked(Fragment query, List<LocalValue> values) {
    long rowCount = session().last().rowCount();
    long foundRows = session().last().foundRows();
    Diagnostics before = session().last().diagnostics();
    KeptResult result = rows(query, values, 1);
    session().last().rowCount(rowCount);
    session().last().foundRows(foundRows);
    if (session().last().diagnostics().conditions().isEmpty()) {
      session().last().diagnostics(before);
    } else {
      diagnostics.take();
    }
    return result;
  }

  /** Whether an expression is neither zero nor NULL. */
  boolean isTrue(Fragment expression, List<LocalValue> values) {
    LocalValue quick = QuickExpression.value(expression, values);
    if (quick != null && quick.isNull()) {
      return false;
    }
    if (quick != null && quick.kind() == Kind.INTEGER) {
      return !quick.text().equals("0");
    }
    LocalValue value =
        asked(expression.within("SELECT (", ") IS TRUE"), values).values(0).getFirst();
    return value.text().equals("1");
  }

  /** {@code ROW_COUNT()}. */
  long rowCount() {
    return session().last().rowCount();
  }

  /** Values of arguments, all at once. */
  List<LocalValue> values(String expressions, ParameterSource parameters) {
    KeptResult result = new KeptResult(call.writer().output(), 1);
    call.shards()
        .copying(() -> {
          run("SELECT " + expressions, parameters, result);
          return result;
        });
    return result.values(0);
  }
}
