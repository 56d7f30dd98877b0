package io.alrai.optimizer.api.inspect;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TouchedTable;
import io.alrai.optimizer.api.TriggerBody;
import io.alrai.optimizer.api.TriggerBody.Edit;
import io.alrai.optimizer.api.TriggerBody.Filled;
import io.alrai.optimizer.api.TriggerBody.Part;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables that a trigger's body names, and what it does to them. One thread. */
public final class BodyTables {
  private static final long SELECT = Privilege.SELECT.bit();
  private static final long INSERT = Privilege.INSERT.bit();
  private static final long UPDATE = Privilege.UPDATE.bit();
  private static final long DELETE = Privilege.DELETE.bit();

  private final TriggerBody body;
  private final List<Use> uses = new ArrayList<>();

  /** A name in the body's text, and what is done with the table: bits of privileges. */
  private record Use(Optional<String> schema, String table, long privileges, int start, int end) {}

  private BodyTables(TriggerBody body) {
    this.body = body;
  }

  /**
   * Those of a body.
   *
   * @throws AlraiException 1235 for a statement that cannot be read
   */
  public static BodyTables of(TriggerBody body) {
    BodyTables tables = new BodyTables(body);
    body.filled().forEach(tables::filled);
    for (Part part : body.parts()) {
      tables.part(part);
    }
    return tables;
  }

  /** Their names. */
  public Set<String> names() {
    return uses.stream().map(Use::table).collect(Collectors.toSet());
  }

  /**
   * Each table once.
   *
   * @param schema the trigger's
   * @throws AlraiException 1235 for a table of another schema
   */
  public List<TouchedTable> touched(Catalog catalog, String schema) {
    Map<String, Long> found = new LinkedHashMap<>();
    for (Use use : uses) {
      if (!use.schema.orElse(schema).equals(schema)) {
        throw TouchedTables.refused(
            "table " + use.schema.get() + "." + use.table + " in a trigger of another database",
            "the tables of its own database may be used");
      }
      found.merge(use.table, use.privileges, (one, other) -> one | other);
    }
    List<TouchedTable> touched = new ArrayList<>();
    found.forEach((table, privileges) ->
        touched.add(new TouchedTable(table, privileges, isBroadcast(catalog, schema, table))));
    return touched;
  }

  private static boolean isBroadcast(Catalog catalog, String schema, String table) {
    return catalog
        .table(schema, table)
        .map(Table::partitioning)
        .filter(Partitioning.Broadcast.class::isInstance)
        .isPresent();
  }

  /** The names as they are where the triggered table's rows are. */
  public List<Edit> edits(Catalog catalog, Schema schema) {
    List<Edit> edits = new ArrayList<>();
    for (Use use : uses) {
      String table = Identifier.quote(use.table);
      String name =
          isBroadcast(catalog, schema.name(), use.table)
              ? schema.broadcastSchema().quoted() + "." + table
              : table;
      edits.add(new Edit(use.start, use.end, name));
    }
    return edits;
  }

  private void filled(Filled table) {
    long privileges = INSERT | (table.replaces() ? DELETE : 0);
    uses.add(
        new Use(
            table.schema(),
            table.table(),
            privileges | (table.updates() ? UPDATE | SELECT : 0),
            table.start(),
            table.end()));
  }

  private void part(Part part) {
    Statement tree;
    try {
      tree = StatementParser.parse(part.text(), body.ansiQuotes(), body.noBackslashEscapes());
    } catch (SyntaxException e) {
      String from = part.text().substring(Math.min(e.position(), part.text().length()));
      throw TouchedTables.refused(
          "what stands in a trigger at '" + from.substring(0, Math.min(80, from.length())) + "'",
          "write it in another way");
    }
    Set<TableRef.Named> written = new HashSet<>();
    switch (tree) {
      case Statement.Select _ -> {}
      case Statement.Update update -> {
        List<TableRef.Named> targets = TableRef.named(update.tables());
        boolean several = targets.size() > 1 || update.with().isPresent();
        for (TableRef.Named target : targets) {
          boolean read = several || readsColumns(part, values(update));
          written.add(use(part, target, UPDATE | (read ? SELECT : 0)));
        }
      }
      case Statement.Delete delete -> delete(part, delete, written);
      case Statement.InsertQuery insert ->
          use(
              part,
              insert.target(),
              INSERT
                  | (insert.replace() ? DELETE : 0)
                  | (insert.onDuplicate().isEmpty() ? 0 : UPDATE | SELECT));
      case Statement.InsertValues _ ->
          throw TouchedTables.refused(
              "PARTITION (...) of INSERT in a trigger", "a SINGLE table has none");
    }
    for (TableUses.Use read : TableUses.of(tree).tables()) {
      if (!written.contains(read.table())) {
        // locking rows needs the right to change them
        use(part, read.table(), SELECT | (read.locks().isEmpty() ? 0 : UPDATE));
      }
    }
  }

  private void delete(Part part, Statement.Delete delete, Set<TableRef.Named> written) {
    List<TableRef.Named> tables = TableRef.named(delete.from());
    if (delete.targets().isEmpty()) {
      List<Expr> read = new ArrayList<>();
      delete.tail().where().ifPresent(read::add);
      delete.tail().orderBy().forEach(item -> read.add(item.expr()));
      for (TableRef.Named table : tables) {
        written.add(use(part, table, DELETE | (readsColumns(part, read) ? SELECT : 0)));
      }
      return;
    }
    for (Statement.TargetTable target : delete.targets()) {
      if (target.schema().isPresent()) {
        throw TouchedTables.refused(
            "DELETE " + target.schema().get().name() + "." + target.name().name() + " in a trigger",
            "leave the name of the database out");
      }
      for (TableRef.Named table : tables) {
        if (table.visibleName().equals(target.name().name())) {
          written.add(use(part, table, DELETE | SELECT));
        }
      }
    }
  }

  private static List<Expr> values(Statement.Update update) {
    List<Expr> values = new ArrayList<>();
    update.assignments().forEach(assignment -> values.add(assignment.value()));
    update.tail().where().ifPresent(values::add);
    update.tail().orderBy().forEach(item -> values.add(item.expr()));
    return values;
  }

  /** Whether a name is none of the row's, nor a variable's. */
  private static boolean readsColumns(Part part, List<Expr> expressions) {
    List<Expr.Name> found = new ArrayList<>();
    for (Expr expression : expressions) {
      expression.walk(each -> {
        if (each instanceof Expr.Name name && !isKnown(part, name)) {
          found.add(name);
        }
      });
      if (!expression.allQueries().isEmpty()) {
        return true; // they may read the row that they stand beside
      }
    }
    return !found.isEmpty();
  }

  private static boolean isKnown(Part part, Expr.Name name) {
    if (name.parts().size() == 1) {
      return part.variables().contains(name.column().toLowerCase(Locale.ROOT));
    }
    String first = name.parts().getFirst().name();
    return name.parts().size() == 2
        && (first.equalsIgnoreCase("NEW") || first.equalsIgnoreCase("OLD"));
  }

  private TableRef.Named use(Part part, TableRef.Named table, long privileges) {
    Span span = table.nameSpan();
    uses.add(
        new Use(
            table.schema().map(Identifier::name),
            table.name().name(),
            privileges,
            part.start() + span.start(),
            part.start() + span.end()));
    return table;
  }
}
