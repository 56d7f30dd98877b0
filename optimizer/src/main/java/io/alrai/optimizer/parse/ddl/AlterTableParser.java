package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.AlterAction;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** ALTER TABLE after the word TABLE; CREATE INDEX and DROP INDEX as what they are short for. */
final class AlterTableParser {
  private static final List<String> INDEX_KINDS = List.of("UNIQUE", "FULLTEXT", "SPATIAL");

  private static final List<String> OWN_VERBS =
      List.of("ADD", "DROP", "TRUNCATE", "COALESCE", "REORGANIZE", "REBUILD");

  private final DdlCursor cursor;

  AlterTableParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  DdlStatement alterTable() {
    TableName name = cursor.tableName();
    if (cursor.seesSymbol(",") || cursor.sees("SINGLE")) {
      return makeSingle(name);
    }
    List<AlterAction> actions = new ArrayList<>();
    Optional<TableName> renameTo = Optional.empty();
    while (!cursor.atEnd()) {
      int start = cursor.position();
      Optional<TableName> renaming = renaming();
      if (renaming.isPresent()) {
        renameTo = renaming;
      } else {
        refusePlacement();
        if (seesPartitions()) {
          actions.add(partitions());
          continue;
        }
        OptionalInt schemaOfParent = skipAction(name);
        actions.add(new AlterActionReader(cursor).read(start, cursor.position(), schemaOfParent));
      }
      if (!cursor.atEnd()) {
        cursor.expectSymbol(",");
        if (cursor.atEnd()) {
          throw cursor.syntaxError();
        }
      }
    }
    return new DdlStatement.AlterTable(cursor.sql(), name, actions, renameTo);
  }

  /** Tables that foreign keys tie together go together. */
  private DdlStatement makeSingle(TableName first) {
    List<TableName> names = new ArrayList<>();
    names.add(first);
    while (cursor.takeSymbol(",")) {
      names.add(cursor.tableName());
    }
    cursor.expect("SINGLE");
    if (!cursor.atEnd()) {
      throw repartitioning();
    }
    return new DdlStatement.MakeSingle(cursor.sql(), names);
  }

  private Optional<TableName> renaming() {
    if (!cursor.sees("RENAME")
        || cursor.sees("RENAME", "COLUMN")
        || cursor.sees("RENAME", "INDEX")
        || cursor.sees("RENAME", "KEY")) {
      return Optional.empty();
    }
    cursor.take("RENAME");
    if (!cursor.take("TO") && !cursor.take("AS")) {
      cursor.takeSymbol("=");
    }
    return Optional.of(cursor.tableName());
  }

  /** What a mysqld does with the partitions that it has made itself. */
  private boolean seesPartitions() {
    return cursor.sees("PARTITION", "BY")
        || cursor.sees("REMOVE", "PARTITIONING")
        || OWN_VERBS.stream().anyMatch(verb -> cursor.sees(verb, "PARTITION"));
  }

  /** Nothing follows it. */
  private AlterAction partitions() {
    int start = cursor.position();
    boolean spread =
        cursor.sees("PARTITION", "BY")
            && !cursor.seesAt(start + 2, "RANGE")
            && !cursor.seesAt(start + 2, "LIST");
    if (spread) {
      throw repartitioning();
    }
    cursor.moveTo(cursor.size());
    return AlterAction.of(
        AlterKind.PARTITIONS, cursor.slice(start, cursor.size()), words(start, cursor.size()));
  }

  private void refusePlacement() {
    if (cursor.sees("SINGLE") || cursor.sees("BROADCAST") || cursor.sees("TABLEGROUP")) {
      throw repartitioning();
    }
    for (String verb : List.of("SPLIT", "MERGE", "MOVE")) {
      if (cursor.sees(verb, "PARTITION") || cursor.sees(verb, "PARTITIONS")) {
        throw repartitioning();
      }
    }
    for (String verb :
        List.of("EXCHANGE", "ANALYZE", "CHECK", "OPTIMIZE", "REPAIR", "DISCARD", "IMPORT")) {
      if (cursor.sees(verb, "PARTITION")) {
        throw DdlParser.notSupported(
            "ALTER TABLE ... " + verb + " PARTITION", ": there are no such statements for parts");
      }
    }
    if (cursor.sees("DISCARD", "TABLESPACE") || cursor.sees("IMPORT", "TABLESPACE")) {
      throw DdlParser.notSupported("DISCARD and IMPORT TABLESPACE", "");
    }
    if (cursor.sees("LOCALITY")) {
      throw DdlParser.notSupported("LOCALITY", "");
    }
  }

  private static RuntimeException repartitioning() {
    return DdlParser.notSupported(
        "ALTER TABLE with a change of partitioning",
        ": ALTER TABLE t SINGLE is there; for another one create a table and INSERT ... SELECT");
  }

  /**
   * Moves to the comma that ends the action, or to the end.
   *
   * @return where the table's own schema follows REFERENCES: the action is done in schemas of other
   *     names
   */
  private OptionalInt skipAction(TableName altered) {
    OptionalInt own = OptionalInt.empty();
    boolean references = false;
    while (!cursor.atEnd() && !cursor.seesSymbol(",")) {
      if (cursor.seesSymbol("(")) {
        cursor.skipParentheses();
        continue;
      }
      if (cursor.sees("PARTITION", "BY")) {
        throw DdlParser.notSupported(
            "PARTITION BY behind other actions of ALTER TABLE", ": use two statements");
      }
      references = cursor.sees("REFERENCES");
      cursor.moveTo(cursor.position() + 1);
      if (references && cursor.seesSymbolAt(cursor.position() + 1, ".")) {
        String schema = cursor.token(cursor.position()).value();
        if (!altered.schema().equals(Optional.of(schema))) {
          throw DdlParser.notSupported(
              "a schema name behind REFERENCES", ": name a table of the same schema");
        }
        own = OptionalInt.of(cursor.position());
      }
    }
    return own;
  }

  /** Whether CREATE is followed by an index. */
  boolean seesIndex() {
    return cursor.sees("INDEX")
        || INDEX_KINDS.stream().anyMatch(kind -> cursor.sees(kind, "INDEX"));
  }

  /** CREATE [kind] INDEX name [USING type] ON table (parts) [options]. */
  DdlStatement createIndex() {
    StringBuilder action = new StringBuilder("ADD ");
    for (String kind : INDEX_KINDS) {
      if (cursor.take(kind)) {
        action.append(kind).append(' ');
      }
    }
    cursor.expect("INDEX");
    int start = cursor.position();
    cursor.identifier();
    if (cursor.take("USING") || cursor.take("TYPE")) {
      cursor.identifier();
    }
    action.append("INDEX ").append(cursor.slice(start, cursor.position()));
    cursor.expect("ON");
    TableName table = cursor.tableName();
    int parts = cursor.position();
    cursor.skipParentheses();
    int options = cursor.position();
    while (!cursor.atEnd() && !seesLockOption()) {
      cursor.moveTo(cursor.position() + 1);
    }
    action.append(' ').append(cursor.slice(parts, options));
    if (cursor.position() > options) {
      action.append(' ').append(cursor.slice(options, cursor.position()));
    }
    return statement(table, action.toString(), words(parts - 1, options));
  }

  /** DROP INDEX name ON table [options]. */
  DdlStatement dropIndex() {
    int start = cursor.position();
    cursor.identifier();
    String action = "DROP INDEX " + cursor.slice(start, start + 1);
    cursor.expect("ON");
    TableName table = cursor.tableName();
    return statement(table, action, words(start, start + 1));
  }

  private boolean seesLockOption() {
    return cursor.sees("ALGORITHM") || cursor.sees("LOCK");
  }

  private DdlStatement statement(TableName table, String action, List<String> words) {
    List<AlterAction> actions = new ArrayList<>();
    actions.add(AlterAction.of(AlterKind.OTHER, action, words));
    while (!cursor.atEnd()) {
      int start = cursor.position();
      if (!seesLockOption()) {
        throw cursor.syntaxError();
      }
      cursor.moveTo(start + 1);
      cursor.takeSymbol("=");
      cursor.identifier();
      String manner = cursor.slice(start, cursor.position());
      actions.add(AlterAction.of(AlterKind.MANNER, manner, List.of()));
    }
    return new DdlStatement.AlterTable(cursor.sql(), table, actions, Optional.empty());
  }

  private List<String> words(int from, int to) {
    return new AlterActionReader(cursor).words(from, to);
  }
}
