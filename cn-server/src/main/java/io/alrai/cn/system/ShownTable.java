package io.alrai.cn.system;

import io.alrai.cn.session.Session;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table that SHOW CREATE TABLE, SHOW COLUMNS, SHOW INDEX or DESCRIBE is about. */
public final class ShownTable {
  private ShownTable() {}

  /** The temporary table of the session's that a statement shows. */
  public static Optional<Table> temporary(String text, Session session) {
    if (session.temporary().none()) {
      return Optional.empty();
    }
    LexicalMode mode = session.variables().lexicalMode();
    TableName name = name(new TokenCursor(text, mode.ansiQuotes(), mode.noBackslashEscapes()));
    return name == null
        ? Optional.empty()
        : session.temporary().table(name.schema().orElse(session.schema()), name.table());
  }

  private static @Nullable TableName name(TokenCursor tokens) {
    if (tokens.take("DESCRIBE") || tokens.take("DESC") || tokens.take("EXPLAIN")) {
      return tokens.tableName();
    }
    if (tokens.take("SHOW", "CREATE", "TABLE")) {
      return tokens.tableName();
    }
    if (!tokens.take("SHOW")) {
      return null;
    }
    tokens.take("EXTENDED");
    tokens.take("FULL");
    boolean ofTable =
        tokens.take("COLUMNS")
            || tokens.take("FIELDS")
            || tokens.take("INDEX")
            || tokens.take("INDEXES")
            || tokens.take("KEYS");
    if (!ofTable || !from(tokens)) {
      return null;
    }
    TableName table = tokens.tableName();
    return from(tokens) ? new TableName(Optional.of(tokens.identifier()), table.table()) : table;
  }

  private static boolean from(TokenCursor tokens) {
    return tokens.take("FROM") || tokens.take("IN");
  }
}
