package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.PlacementClause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * CREATE TABLE after the word TABLE. Placement clauses and a column index are cut out of the text;
 * all else reaches the mysqld as it came.
 */
final class CreateTableParser {
  private final DdlCursor cursor;
  private final StringBuilder body = new StringBuilder();
  private Optional<PlacementClause> placement = Optional.empty();
  private Optional<String> tableGroup = Optional.empty();
  private Optional<DdlStatement.NewColumnIndex> columnIndex = Optional.empty();
  private Optional<DdlStatement.FillingQuery> query = Optional.empty();
  private boolean definitions;
  private int kept;

  CreateTableParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  DdlStatement createTable(boolean temporary) {
    cursor.requireOneStatement();
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    TableName name = cursor.tableName();
    Optional<TableName> source = likeSource();
    if (source.isPresent()) {
      cursor.expectEnd();
      return new DdlStatement.CreateTableLike(
          cursor.sql(), name, source.get(), ifNotExists, temporary);
    }
    kept = cursor.position();
    if (cursor.seesSymbol("(") && !seesQuery()) {
      refuseGlobalIndexes();
      definitions = true;
      definitions();
    }
    while (!cursor.atEnd()) {
      option();
    }
    keepUpTo(cursor.size());
    return new DdlStatement.CreateTable(
        cursor.sql(),
        name,
        ifNotExists,
        temporary,
        placement,
        tableGroup,
        columnIndex,
        body.toString(),
        query);
  }

  private Optional<TableName> likeSource() {
    if (cursor.take("LIKE")) {
      return Optional.of(cursor.tableName());
    }
    if (cursor.seesSymbol("(") && cursor.seesAt(cursor.position() + 1, "LIKE")) {
      cursor.takeSymbol("(");
      cursor.take("LIKE");
      TableName source = cursor.tableName();
      cursor.expectSymbol(")");
      return Optional.of(source);
    }
    return Optional.empty();
  }

  private void refuseGlobalIndexes() {
    int depth = 0;
    for (int i = cursor.position(); i < cursor.size(); i++) {
      if (cursor.seesSymbolAt(i, "(")) {
        depth++;
      } else if (cursor.seesSymbolAt(i, ")")) {
        depth--;
        if (depth == 0) {
          return;
        }
      } else if (depth == 1 && cursor.seesAt(i, "GLOBAL", "INDEX")) {
        throw DdlParser.notSupported("GLOBAL INDEX", "; an INDEX is local to each partition");
      } else if (depth == 1 && cursor.seesAt(i, "CLUSTERED", "INDEX")) {
        throw DdlParser.notSupported("CLUSTERED INDEX", "");
      }
    }
  }

  /** Columns and keys; a column index is cut out of them, with the comma before or after it. */
  private void definitions() {
    int open = cursor.position();
    cursor.skipParentheses();
    int end = cursor.position();
    int depth = 0;
    for (int i = open; i < end; i++) {
      if (cursor.seesSymbolAt(i, "(")) {
        depth++;
      } else if (cursor.seesSymbolAt(i, ")")) {
        depth--;
      } else if (depth == 1 && cursor.seesAt(i, "CLUSTERED", "COLUMNAR", "INDEX")) {
        i = columnIndex(i, i == open + 1) - 1;
      }
    }
    cursor.moveTo(end);
  }

  /**
   * {@code CLUSTERED COLUMNAR INDEX name (columns) [PARTITION BY anything]} among the definitions;
   * gives where it ends.
   */
  private int columnIndex(int start, boolean first) {
    cursor.moveTo(start);
    if (!first && !cursor.seesSymbolAt(start - 1, ",")) {
      throw cursor.syntaxError();
    }
    if (columnIndex.isPresent()) {
      throw DdlParser.notSupported("a second column index of a table", "");
    }
    cursor.take("CLUSTERED", "COLUMNAR", "INDEX");
    String name = cursor.identifier();
    List<String> columns = cursor.identifiers();
    boolean partitioned = cursor.take("PARTITION", "BY");
    while (partitioned && !cursor.seesSymbol(",") && !cursor.seesSymbol(")")) {
      if (cursor.seesSymbol("(")) {
        cursor.skipParentheses();
      } else {
        cursor.moveTo(cursor.position() + 1);
      }
    }
    if (!cursor.seesSymbol(",") && !cursor.seesSymbol(")")) {
      throw cursor.syntaxError();
    }
    columnIndex = Optional.of(new DdlStatement.NewColumnIndex(name, columns, partitioned));
    if (first) {
      cursor.expectSymbol(",");
    }
    keepUpTo(first ? start : start - 1);
    kept = cursor.position();
    return kept;
  }

  private void option() {
    int start = cursor.position();
    if (cursor.take("SINGLE")) {
      place(start, new PlacementClause.Single());
    } else if (cursor.take("BROADCAST")) {
      place(start, new PlacementClause.Broadcast());
    } else if (cursor.take("PARTITION", "BY")) {
      partitionBy(start);
    } else if (cursor.take("TABLEGROUP")) {
      cursor.takeSymbol("=");
      tableGroup = Optional.of(cursor.nameOrString());
      cut(start);
    } else if (cursor.sees("LOCALITY")) {
      throw DdlParser.notSupported(
          "LOCALITY", ": partitions are spread evenly over all data nodes");
    } else if (seesQuery()) {
      query();
    } else if (cursor.sees("TABLESPACE")) {
      cursor.take("TABLESPACE");
      cursor.identifier();
    } else {
      skip();
    }
  }

  private boolean seesQuery() {
    int at = cursor.position();
    for (String word : List.of("IGNORE", "REPLACE", "AS")) {
      if (cursor.seesAt(at, word)) {
        return true;
      }
    }
    while (cursor.seesSymbolAt(at, "(")) {
      at++;
    }
    int start = at;
    return List.of("SELECT", "WITH", "VALUES", "TABLE").stream()
        .anyMatch(word -> cursor.seesAt(start, word));
  }

  /** The query reaches to the end; the mysqld says whether it is one. */
  private void query() {
    int start = cursor.position();
    String verb = "INSERT";
    if (cursor.take("IGNORE")) {
      verb = "INSERT IGNORE";
    } else if (cursor.take("REPLACE")) {
      verb = "REPLACE";
    }
    cursor.take("AS");
    if (cursor.atEnd()) {
      throw cursor.syntaxError();
    }
    query = Optional.of(new DdlStatement.FillingQuery(cursor.rest(), verb, definitions));
    cursor.moveTo(cursor.size());
    cut(start);
  }

  private void skip() {
    if (cursor.seesSymbol("(")) {
      cursor.skipParentheses();
    } else if (cursor.takeSymbol("=")) {
      if (!cursor.atEnd() && !cursor.seesSymbol("(")) {
        cursor.moveTo(cursor.position() + 1);
      }
    } else {
      cursor.moveTo(cursor.position() + 1);
    }
  }

  private void place(int start, PlacementClause clause) {
    if (placement.isPresent()) {
      cursor.moveTo(start);
      throw cursor.syntaxError();
    }
    placement = Optional.of(clause);
    cut(start);
  }

  private void cut(int start) {
    keepUpTo(start);
    kept = cursor.position();
  }

  private void keepUpTo(int end) {
    String piece = cursor.slice(kept, end);
    if (!piece.isEmpty()) {
      body.append(body.isEmpty() ? "" : " ").append(piece);
    }
  }

  /**
   * By KEY or HASH of columns, without names of partitions, rows are spread over the DNs. What else
   * MySQL has, one mysqld does itself: its text stays, and the table is SINGLE.
   */
  private void partitionBy(int start) {
    cursor.take("LINEAR");
    Optional<PlacementClause> clause = Optional.empty();
    if (cursor.take("KEY")) {
      clause = Optional.of(key());
    } else if (cursor.take("HASH")) {
      clause = hash();
    } else if (!cursor.sees("RANGE") && !cursor.sees("LIST")) {
      throw otherMethod();
    }
    if (clause.isPresent() && !cursor.sees("SUBPARTITION") && !cursor.seesSymbol("(")) {
      place(start, clause.get());
    } else if (placement.isEmpty()) {
      placement = Optional.of(new PlacementClause.Single());
    } else if (!(placement.get() instanceof PlacementClause.Single)) {
      cursor.moveTo(start);
      throw cursor.syntaxError();
    }
  }

  private RuntimeException otherMethod() {
    return cursor.sees("CO_HASH")
        ? DdlParser.notSupported("PARTITION BY CO_HASH", "; use PARTITION BY KEY(...) or HASH(...)")
        : cursor.syntaxError();
  }

  private PlacementClause key() {
    if (cursor.take("ALGORITHM")) {
      cursor.expectSymbol("=");
      cursor.count();
    }
    List<String> columns = new ArrayList<>();
    cursor.expectSymbol("(");
    while (!cursor.takeSymbol(")")) {
      if (!columns.isEmpty()) {
        cursor.expectSymbol(",");
      }
      columns.add(cursor.identifier());
    }
    return new PlacementClause.Key(columns, partitions());
  }

  /** Empty for an expression. */
  private Optional<PlacementClause> hash() {
    if (!cursor.seesSymbolAt(cursor.position() + 2, ")")) {
      cursor.skipParentheses();
      return Optional.empty();
    }
    cursor.expectSymbol("(");
    String column = cursor.identifier();
    cursor.expectSymbol(")");
    return Optional.of(new PlacementClause.Hash(column, partitions()));
  }

  private int partitions() {
    return cursor.take("PARTITIONS") ? cursor.count() : 0;
  }
}
