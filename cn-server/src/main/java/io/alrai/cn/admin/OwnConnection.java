package io.alrai.cn.admin;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement.FillingQuery;
import io.alrai.optimizer.api.inspect.QueryText;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Statements on the connection that a session keeps for its temporary tables. Virtual threads. */
final class OwnConnection {
  private static final String DEFINITION = "__alrai_definition";

  private OwnConnection() {}

  /** Runs one without rows; under the session's current schema. */
  static OkPacket execute(StatementRun run, Sql sql) {
    try (ShardCall call = start(run, sql)) {
      return call.update();
    }
  }

  /** The rows of one. */
  static List<List<@Nullable String>> query(StatementRun run, Sql sql) {
    try (ShardCall call = start(run, sql)) {
      return ShardQueries.rows(call);
    }
  }

  private static ShardCall start(StatementRun run, Sql sql) {
    Session session = run.session();
    return run.shards().start(DnId.OF_SESSION, session.schema(), sql, RowAccess.CHANGING);
  }

  /** The session's temporary tables that a query names; none in what is no query. */
  static List<Table> namedIn(Session session, String query) {
    if (session.temporary().none()) {
      return List.of();
    }
    return QueryText.tables(query, session.variables().lexicalMode()).stream()
        .flatMap(table ->
            session
                .temporary()
                .table(table.schema().orElse(session.schema()), table.table())
                .stream())
        .toList();
  }

  /** What gives a table the columns of a query, and no row. */
  static Sql columnsOf(FillingQuery query) {
    return Sql.of(" IGNORE AS (").written(query.text()).words("\n) LIMIT 0");
  }

  /**
   * What follows the name in the definition of a table that is made this way; for a table of the
   * database's that is like a temporary one or that a query over some fills.
   *
   * @param how the text of CREATE TABLE after the name
   */
  static String definition(StatementRun run, String schema, Sql how) {
    Sql name = Sql.EMPTY.name(schema, DEFINITION);
    execute(run, Sql.of("CREATE TEMPORARY TABLE ").add(name).words(" ").add(how));
    try {
      String text =
          Objects.requireNonNull(
              query(run, Sql.of("SHOW CREATE TABLE ").add(name)).getFirst().get(1));
      return text.substring(text.indexOf('('));
    } finally {
      execute(run, Sql.of("DROP TEMPORARY TABLE ").add(name));
      run.shards().takeWarnings();
    }
  }

  /** A name with the schema that it is in. */
  static Sql quoted(Session session, TableName name) {
    return Sql.EMPTY.name(name.schema().orElse(session.schema()), name.table());
  }
}
