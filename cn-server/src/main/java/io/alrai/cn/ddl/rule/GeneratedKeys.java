package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.optimizer.api.DdlStatement.AlterAction;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keys that a mysqld has made itself for foreign keys. It takes one away again when a statement
 * brings a key that serves as well, which may have the same name. No SHOW CREATE TABLE tells such
 * keys from others, so that partitions, which are made of it, have them as anybody's; what became
 * of them at the shadow is said to partitions.
 */
public final class GeneratedKeys {
  private final Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final Set<String> added = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  /** What a statement says of keys. */
  public GeneratedKeys(List<AlterAction> actions, DdlSession session) {
    for (AlterAction action : actions) {
      TokenCursor tokens =
          new TokenCursor(action.text(), session.ansiQuotes(), session.isWithoutEscapes());
      if (tokens.sees("DROP") || tokens.sees("RENAME")) {
        taken.addAll(action.words());
      } else if (tokens.take("ADD")) {
        add(tokens);
      }
    }
  }

  private void add(TokenCursor tokens) {
    if (tokens.take("CONSTRAINT")) {
      String name = tokens.sees("UNIQUE") ? "" : tokens.identifier();
      if (tokens.take("UNIQUE") && !name.isEmpty()) {
        added.add(name);
      }
      return;
    }
    boolean kind = tokens.take("UNIQUE") || tokens.take("FULLTEXT") || tokens.take("SPATIAL");
    boolean key = tokens.take("INDEX") || tokens.take("KEY") || kind;
    if (key && !tokens.atEnd() && tokens.kind() != TokenKind.OPEN && !tokens.sees("USING")) {
      added.add(tokens.identifier());
    }
  }

  /**
   * The actions that take away, before the statement's own, what the shadow's mysqld took away.
   *
   * @param before the shadow's definition
   * @param after the definition after the statement, which has succeeded there
   * @return each followed by a comma; empty for nothing
   */
  public String drops(TableText before, TableText after) {
    if (before.foreignKeys().isEmpty()) {
      return "";
    }
    StringBuilder drops = new StringBuilder();
    for (String key : before.keys().keySet()) {
      boolean goes = !after.keys().containsKey(key) || added.contains(key);
      if (goes && !taken.contains(key)) {
        drops.append("DROP INDEX ").append(Identifier.quote(key)).append(", ");
      }
    }
    return drops.toString();
  }
}
