package io.alrai.cn.admin;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.privilege.Denied;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.DefinitionRow;
import io.alrai.cn.system.OwnRows;
import io.alrai.cn.system.OwnValues;
import io.alrai.cn.system.ShadowSight;
import io.alrai.cn.system.ShownTable;
import io.alrai.cn.system.TableFigures;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Statements that a mysqld answers from the shadow schemas, under an account that sees nothing
 * else: SHOW, DESCRIBE, information_schema.
 */
final class ShadowStatements {
  private static final Pattern DENIED =
      Pattern.compile("^Access denied for user .* to database '(.*)'$");

  private final CnParts parts;

  ShadowStatements(CnParts parts) {
    this.parts = parts;
  }

  void run(StatementRun run, SqlTemplate template) {
    Session session = run.session();
    String text = CnAdmin.text(run, template);
    if (ShownTable.temporary(text, session).isPresent()) {
      ofSession(run, text);
      return;
    }
    ShadowSight sight = ShadowSight.of(text, session, parts);
    Sql sql = Sql.client(sight.sql());
    DnId dn = parts.queries().links().first();
    ShardQueries queries = parts.queries().withSettings(session.variables().ofBackends());
    Queue<Condition> warnings = new ConcurrentLinkedQueue<>(sight.warnings());
    try (ShardCall call =
        queries.start(dn, BackendAccount.SHADOW, schema(text, session), sql, warnings)) {
      UnaryOperator<byte[]> definition = definition(text, session);
      Supplier<List<OwnRows.Named>> more = () -> OwnRows.wanted(text, session, queries, dn);
      Supplier<Map<String, String>> values = () -> OwnValues.of(session, OwnRows.isGlobal(text));
      boolean counts = !isShowCreate(tokens(text, session));
      answer(run, call, new Additions(more, values, definition, sight, counts), warnings);
    } catch (AlraiException e) {
      throw ofClient(UnknownFunctions.ofClient(e, text, session), session);
    }
  }

  /** A statement about a temporary table, all of which its owner sees. */
  private void ofSession(StatementRun run, String text) {
    run.shards().takeWarnings();
    Sql sql = Sql.client(text);
    try (ShardCall call =
        run.shards().start(DnId.OF_SESSION, run.session().schema(), sql, RowAccess.NONE)) {
      ShadowSight all = new ShadowSight(text, row -> true);
      answer(
          run,
          call,
          new Additions(
              List::of,
              Map::of,
              UnaryOperator.identity(),
              all,
              !isShowCreate(tokens(text, run.session()))),
          new ConcurrentLinkedQueue<>());
    }
  }

  /** SHOW CREATE qualifies its name where there is no current schema. */
  private static String schema(String text, Session session) {
    TokenCursor tokens = tokens(text, session);
    boolean qualified = isShowCreate(tokens) && tokens.kindAt(4) == TokenKind.DOT;
    return qualified ? CnAdmin.schemaOfQualified(session) : session.schema();
  }

  private static TokenCursor tokens(String text, Session session) {
    LexicalMode mode = session.variables().lexicalMode();
    return new TokenCursor(text, mode.ansiQuotes(), mode.noBackslashEscapes());
  }

  private static boolean isShowCreate(TokenCursor tokens) {
    return tokens.sees("SHOW", "CREATE");
  }

  /** The account of the shadow schemas sees no others: to the client they do not exist. */
  private AlraiException ofClient(AlraiException error, Session session) {
    Matcher denied = DENIED.matcher(error.sentence());
    if (!error.is(ErrorCode.ER_DBACCESS_DENIED_ERROR) || !denied.find()) {
      return withClientsName(error, session);
    }
    String schema = denied.group(1);
    return SystemTables.isSystemSchema(schema)
        ? new AlraiException(
            ErrorCode.ER_DBACCESS_DENIED_ERROR,
            "Access denied for user '"
                + session.user().identity().user()
                + "'@'"
                + session.user().identity().host()
                + "' to database '"
                + schema
                + "'",
            error)
        : new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'", error);
  }

  /** The mysqld's account is none of the client's. */
  private static AlraiException withClientsName(AlraiException error, Session session) {
    String own = DdlShards.SHADOW_ACCOUNT;
    return error.sentence().contains(own)
        ? AlraiException.fromServer(
            error.errno(),
            error.sqlState(),
            error.sentence().replace(own, Denied.client(session.user().identity())))
        : error;
  }

  /**
   * What the CN adds and leaves out: rows and values to SHOW VARIABLES and its like, what a table's
   * definition has besides its shadow's, rows and texts of what the account may not see; and
   * whether FOUND_ROWS() counts the rows, which it does not for SHOW CREATE.
   */
  private record Additions(
      Supplier<List<OwnRows.Named>> variables,
      Supplier<Map<String, String>> values,
      UnaryOperator<byte[]> definition,
      ShadowSight sight,
      boolean counts) {}

  /** What changes the row of a SHOW CREATE TABLE. */
  private UnaryOperator<byte[]> definition(String text, Session session) {
    Catalog catalog = parts.gms().catalog();
    Optional<String> comment = DefinitionRow.comment(text, session.schema(), catalog);
    Optional<Long> next =
        DefinitionRow.table(text, session.schema(), catalog)
            .flatMap(new TableFigures(parts, session.variables())::nextId);
    return row -> {
      byte[] numbered = next.map(id -> DefinitionRow.withNextId(row, id)).orElse(row);
      return comment.map(added -> DefinitionRow.with(numbered, added)).orElse(numbered);
    };
  }

  private void answer(
      StatementRun run, ShardCall call, Additions additions, Queue<Condition> warnings) {
    Session session = run.session();
    List<ColumnDefinition> columns = call.columns();
    if (columns.isEmpty()) {
      OkPacket ok = call.status();
      session.last().rowCount(ok.affectedRows());
      session.last().foundRows(1);
      session.last().diagnostics(Diagnostics.ofWarnings(List.copyOf(warnings)));
      run.writer()
          .ok(new OkPacket(ok.affectedRows(), 0, run.statusFlags(), ok.warnings(), ok.info()));
      return;
    }
    boolean variables =
        columns.size() == 2
            && columns.get(0).name().equalsIgnoreCase("Variable_name")
            && columns.get(0).table().endsWith("_variables");
    Deque<OwnRows.Named> own =
        new ArrayDeque<>(variables ? additions.variables().get() : List.of());
    Map<String, String> values = variables ? additions.values().get() : Map.of();
    run.writer().columns(additions.sight().columns().apply(columns), run.statusFlags());
    long rows = own.size();
    byte[] row;
    while ((row = call.nextRow()) != null) {
      if (!additions.sight().row().test(row)) {
        continue;
      }
      if (!own.isEmpty()) {
        String key = OwnRows.key(row);
        while (!own.isEmpty() && own.peek().name().compareTo(key) < 0) {
          run.writer().row(own.remove().row());
        }
      }
      byte[] mysqlds = variables ? ownValue(row, values) : additions.sight().shown().apply(row);
      run.writer().row(additions.definition().apply(mysqlds));
      rows++;
    }
    own.forEach(left -> run.writer().row(left.row()));
    OkPacket end = call.status();
    if (additions.counts()) {
      session.last().foundRows(rows);
    }
    session.last().rowCount(-1);
    session.last().diagnostics(Diagnostics.ofWarnings(List.copyOf(warnings)));
    int ownWarnings = additions.sight().warnings().size();
    run.writer().end(end.warnings() + ownWarnings, run.statusFlags());
  }

  /** SHOW VARIABLES: what the CN answers for itself. */
  private static byte[] ownValue(byte[] row, Map<String, String> own) {
    List<@Nullable String> values = new ArrayList<>(ShardQueries.texts(row, 2));
    String value = own.get(values.get(0));
    if (value == null) {
      return row;
    }
    boolean word = "ON".equals(values.get(1)) || "OFF".equals(values.get(1));
    values.set(1, word ? value.replace("1", "ON").replace("0", "OFF") : value);
    return ResultTable.encode(values);
  }
}
