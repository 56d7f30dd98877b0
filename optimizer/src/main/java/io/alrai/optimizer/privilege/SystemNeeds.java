package io.alrai.optimizer.privilege;

import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What SHOW, DESCRIBE and queries over the server's own tables need (MySQL Reference Manual, "SHOW
 * Statements"; "INFORMATION_SCHEMA Tables", of which some need PROCESS). Pure.
 */
final class SystemNeeds {
  static final long OF_TABLES = Privilege.bits(Privilege.allAt(Level.TABLE));

  /** Tables of performance_schema that everybody may read. */
  private static final Set<String> FOR_ALL =
      Set.of(
          "global_status",
          "global_variables",
          "persisted_variables",
          "processlist",
          "session_account_connect_attrs",
          "session_connect_attrs",
          "session_status",
          "session_variables",
          "variables_info");

  /** Tables of information_schema for those who may see what the server does. */
  private static final Set<String> OF_PROCESS = Set.of("files", "storage", "storage_replicas");

  private final NeedList needs;
  private final TokenCursor tokens;

  private SystemNeeds(NeedList needs, TokenCursor tokens) {
    this.needs = needs;
    this.tokens = tokens;
  }

  /** Finds the needs of a statement that is answered from the shadow schemas. */
  static void find(NeedList needs, TokenCursor tokens) {
    SystemNeeds found = new SystemNeeds(needs, tokens);
    if (tokens.take("SHOW")) {
      found.show();
    } else if (tokens.take("DESCRIBE") || tokens.take("DESC") || tokens.take("EXPLAIN")) {
      needs.anyOnTable(tokens.tableName(), Privilege.OF_COLUMNS, "SELECT");
    } else if (!tokens.sees("HELP")) {
      for (SystemTables.Use use : SystemTables.usesIn(tokens)) {
        read(needs, needs.schema(use.name()), use.name().table());
      }
    }
  }

  /** What reading one of the server's own tables needs. */
  static void read(NeedList needs, String schema, String table) {
    String lower = table.toLowerCase(Locale.ROOT);
    if (schema.equalsIgnoreCase("information_schema")) {
      if (lower.startsWith("innodb_") || OF_PROCESS.contains(lower)) {
        needs.global("PROCESS", Privilege.PROCESS.bit());
      }
      return;
    }
    boolean forAll = schema.equalsIgnoreCase("performance_schema") && FOR_ALL.contains(lower);
    if (!forAll) {
      needs.onTable(schema, table, Privilege.SELECT.bit());
    }
  }

  private void show() {
    tokens.take("EXTENDED");
    tokens.take("FULL");
    if (tokens.take("CREATE")) {
      create();
    } else if (tokens.take("COLUMNS")
        || tokens.take("FIELDS")
        || tokens.take("INDEX")
        || tokens.take("INDEXES")
        || tokens.take("KEYS")) {
      columns();
    } else if (tokens.take("TABLES")
        || tokens.take("TABLE", "STATUS")
        || tokens.take("TRIGGERS")
        || tokens.take("EVENTS")) {
      schema();
    } else {
      server();
    }
  }

  private boolean from() {
    return tokens.take("FROM") || tokens.take("IN");
  }

  /** SHOW COLUMNS FROM table [FROM schema]. */
  private void columns() {
    if (!from()) {
      return; // the mysqld says that it is no statement
    }
    TableName name = tokens.tableName();
    if (from()) {
      name = new TableName(Optional.of(tokens.identifier()), name.table());
    }
    needs.anyOnTable(name, Privilege.OF_COLUMNS, "SELECT");
  }

  /** SHOW TABLES [FROM schema]; the mysqld tells of one that is not there. */
  private void schema() {
    String schema = from() ? tokens.identifier() : needs.context().currentSchema();
    if (needs.context().catalog().schema(schema).isPresent()
        || SystemTables.isSystemSchema(schema)) {
      needs.add(new Need.UsesSchema(schema, false));
    }
  }

  private void create() {
    if (tokens.take("DATABASE") || tokens.take("SCHEMA")) {
      tokens.take("IF", "NOT", "EXISTS");
      needs.add(new Need.UsesSchema(tokens.identifier(), true));
      return;
    }
    if (tokens.take("TRIGGER")) {
      TableName name = tokens.tableName();
      String schema = needs.schema(name);
      needs
          .context()
          .catalog()
          .triggered(schema, name.table())
          .ifPresent(found -> needs.add(new Need.ShownTrigger(schema, found.name())));
      return;
    }
    for (RoutineKind kind : RoutineKind.values()) {
      if (tokens.take(kind.name())) {
        routine(kind, tokens.tableName());
        return;
      }
    }
    boolean table = tokens.take("TABLE");
    if (!table && !tokens.take("VIEW")) {
      return;
    }
    TableName name = tokens.tableName();
    String schema = needs.schema(name);
    if (schema.equalsIgnoreCase("information_schema")) {
      return;
    }
    boolean view = needs.context().catalog().view(schema, name.table()).isPresent();
    if (!schema.isEmpty() && table) {
      needs.add(new Need.AnyOnTable(schema, name.table(), OF_TABLES, "SHOW", true, false));
    } else {
      needs.byColumn(schema, name.table(), Privilege.SELECT.bit());
    }
    if (view) {
      needs.onTable(name, Privilege.SHOW_VIEW);
    }
  }

  private void routine(RoutineKind kind, TableName name) {
    needs
        .definer(kind, name)
        .ifPresent(definer ->
            needs.add(new Need.ShownRoutine(kind, needs.schema(name), name.table(), definer)));
  }

  /** SHOW of what belongs to the server as a whole. */
  private void server() {
    if (tokens.sees("BINARY") || tokens.sees("REPLICA", "STATUS")) {
      needs.global(
          "SUPER, REPLICATION CLIENT",
          Privilege.bits(Privilege.SUPER, Privilege.REPLICATION_CLIENT));
    } else if (tokens.sees("REPLICAS") || tokens.sees("BINLOG") || tokens.sees("RELAYLOG")) {
      needs.global("REPLICATION SLAVE", Privilege.REPLICATION_SLAVE.bit());
    } else if (tokens.sees("STORAGE") && !tokens.sees("STORAGE", "ENGINES")) {
      needs.global("PROCESS", Privilege.PROCESS.bit());
    } else if (tokens.take("ENGINE")) {
      boolean named = tokens.kind() == TokenKind.WORD || tokens.kind() == TokenKind.QUOTED;
      if (named) {
        needs.global("PROCESS", Privilege.PROCESS.bit());
      }
    }
  }
}
