package io.alrai.cn.admin;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.VariableLiteral;
import io.alrai.cn.statement.QueryReader;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.ShadowSight;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.Collations.Collation;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values of queries for user variables: SELECT ... INTO, and subqueries in SET. */
final class Assignments {
  private final CnParts parts;
  private final QueryReader reader;

  Assignments(CnParts parts, QueryReader reader) {
    this.parts = parts;
    this.reader = reader;
  }

  /** SELECT ... INTO @a, @b; no row leaves the variables as they are, with a warning. */
  void selectInto(StatementRun run, AdminStatement.SelectInto into) {
    QueryReader.Rows result =
        into.lastInsertId()
            ? assigning(
                run, new AdminStatement.AssigningSelect(List.of(), true, into.query(), false), 2)
            : reader.read(run, into.query(), 2);
    run.session().last().foundRows(result.rows().size());
    assign(run, into.variables(), result);
  }

  /** EXPLAIN ... INTO @a. */
  void explainInto(StatementRun run, SqlTemplate explain, String variable) {
    Sql sql = Sql.client(CnAdmin.text(run, explain));
    DnId dn = run.session().temporary().none() ? parts.queries().links().any() : DnId.OF_SESSION;
    String schema = CnAdmin.schemaOfQualified(run.session());
    List<byte[]> rows = new ArrayList<>();
    QueryReader.Rows answer;
    try (ShardCall call = run.shards().start(dn, schema, sql, RowAccess.NONE)) {
      List<ColumnDefinition> columns = call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        rows.add(row);
      }
      answer = new QueryReader.Rows(columns, rows);
    }
    assign(run, List.of(variable), answer, 0);
  }

  /**
   * Gives a query's row to variables and answers the client.
   *
   * @throws AlraiException 1222 for another number of columns, 1172 for several rows
   */
  void assign(StatementRun run, List<String> variables, QueryReader.Rows result) {
    assign(run, variables, result, result.rows().size());
  }

  private void assign(
      StatementRun run, List<String> variables, QueryReader.Rows result, int affected) {
    Session session = run.session();
    if (result.columns().size() != variables.size()) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
          "The used SELECT statements have a different number of columns");
    }
    List<Condition> conditions = new ArrayList<>(session.last().diagnostics().conditions());
    if (result.rows().isEmpty()) {
      conditions.add(
          new Condition(
              "Warning",
              ErrorCode.ER_SP_FETCH_NO_DATA.errno(),
              "No data - zero rows fetched, selected, or processed"));
    } else {
      List<String> values = literals(result);
      Map<String, String> assigned = new HashMap<>();
      for (int i = 0; i < values.size(); i++) {
        assigned.put(variables.get(i), values.get(i));
      }
      session.variables().assign(assigned);
    }
    if (result.rows().size() > 1) {
      throw new AlraiException(ErrorCode.ER_TOO_MANY_ROWS, "Result consisted of more than one row");
    }
    session.last().rowCount(affected);
    session.last().diagnostics(Diagnostics.ofWarnings(conditions));
    run.writer().ok(new OkPacket(affected, 0, run.statusFlags(), conditions.size(), ""));
  }

  /**
   * The literal of an expression with subqueries.
   *
   * @throws AlraiException the query's error
   */
  String evaluate(StatementRun run, String expression) {
    long found = run.session().last().foundRows();
    try {
      return read(run, expression);
    } finally {
      run.session().last().foundRows(found);
    }
  }

  private String read(StatementRun run, String expression) {
    LexicalMode mode = run.session().variables().lexicalMode();
    ShapedText text = ShapedText.of("SELECT " + expression, mode);
    Planned planned = parts.plan(run.session(), text);
    StatementRun inner = run.with(text, text.textBytes());
    QueryReader.Rows result =
        switch (planned.work()) {
          case Work.Data(Planned.Verb verb, Plan.Select select) -> reader.read(inner, select, 1);
          case Work.Data _ -> throw notOneValue();
          case Work.Administrative administrative -> read(inner, administrative.statement());
        };
    if (result.columns().size() != 1) {
      throw notOneValue();
    }
    return result.rows().isEmpty() ? VariableLiteral.NULL : literals(result).getFirst();
  }

  private QueryReader.Rows read(StatementRun run, AdminStatement statement) {
    return switch (statement) {
      case AdminStatement.AssigningSelect select -> assigning(run, select, 1);
      case AdminStatement.FromShadow shadow -> ofShadow(run, shadow);
      case AdminStatement.NamedLocks locks -> LockStatements.read(run, locks);
      case AdminStatement.SelectInto _,
          AdminStatement.ExplainOnShard _,
          AdminStatement.OnLoop _,
          AdminStatement.ByName _,
          AdminStatement.OnSession _,
          AdminStatement.Setting _,
          AdminStatement.Locking _,
          AdminStatement.Report _,
          AdminStatement.Change _ ->
          throw notOneValue();
    };
  }

  private QueryReader.Rows assigning(
      StatementRun run, AdminStatement.AssigningSelect select, int most) {
    return reader.read(run, select, parts.facts().collations(), most);
  }

  private static AlraiException notOneValue() {
    return new AlraiException(ErrorCode.ER_OPERAND_COLUMNS, "Operand should contain 1 column(s)");
  }

  private QueryReader.Rows ofShadow(StatementRun run, AdminStatement.FromShadow shadow) {
    Session session = run.session();
    ShadowSight sight = ShadowSight.of(CnAdmin.text(run, shadow.sql()), session, parts);
    Sql sql = Sql.client(sight.sql());
    try (ShardCall call =
        parts
            .queries()
            .withSettings(session.variables().ofBackends())
            .start(parts.queries().links().first(), BackendAccount.SHADOW, session.schema(), sql)) {
      List<ColumnDefinition> columns = call.columns();
      byte[] row = call.nextRow();
      call.status();
      return new QueryReader.Rows(columns, row == null ? List.of() : List.of(row));
    }
  }

  /** The first row's values. */
  private List<String> literals(QueryReader.Rows result) {
    ByteBuf row = Unpooled.wrappedBuffer(result.rows().getFirst());
    List<String> literals = new ArrayList<>();
    for (ColumnDefinition column : result.columns()) {
      if (row.getUnsignedByte(row.readerIndex()) == 0xfb) {
        row.skipBytes(1);
        literals.add(VariableLiteral.NULL);
      } else {
        byte[] value = Lenenc.readBytes(row);
        Collation collation =
            parts
                .facts()
                .collations()
                .ofId(column.charsetId())
                .orElseThrow(() ->
                    new AlraiException(
                        ErrorCode.ALRAI_INTERNAL, "unknown collation " + column.charsetId()));
        literals.add(VariableLiteral.of(column, value, collation.charset(), collation.name()));
      }
    }
    return literals;
  }
}
