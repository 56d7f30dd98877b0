package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The ENGINE options of a table that all sessions see. Transactions need InnoDB. It takes the place
 * of MyISAM and MEMORY, whose tables it can hold. Other engines are disabled as on a mysqld whose
 * {@code disabled_storage_engines} names them: refused with NO_ENGINE_SUBSTITUTION, without it
 * replaced too. Stateless.
 */
public final class StorageEngines {
  private static final String INNODB = "InnoDB";
  private static final String MERGE = "MRG_MYISAM";

  /** Engines of a mysqld by all their names. */
  private static final Map<String, String> DISABLED =
      Map.of(
          "MYISAM",
          "MyISAM",
          MERGE,
          MERGE,
          "MERGE",
          MERGE,
          "MEMORY",
          "MEMORY",
          "HEAP",
          "MEMORY",
          "CSV",
          "CSV",
          "ARCHIVE",
          "ARCHIVE",
          "BLACKHOLE",
          "BLACKHOLE");

  /** Programs name these without a need for them. */
  private static final Set<String> ALWAYS_REPLACED = Set.of("MyISAM", "MEMORY");

  private StorageEngines() {}

  /**
   * Options as they are run.
   *
   * @param text with InnoDB in place of another engine
   * @param replaced that engine, the last one where there are several
   */
  public record Allowed(String text, Optional<String> replaced) {
    /** What a CREATE TABLE tells of it. */
    List<SqlWarning> ofCreate(String table) {
      return replaced
          .map(engine ->
              List.of(
                  warning(ErrorCode.ER_DISABLED_STORAGE_ENGINE, disabled(engine)),
                  warning(
                      ErrorCode.ER_WARN_USING_OTHER_HANDLER,
                      "Using storage engine " + INNODB + " for table '" + table + "'")))
          .orElse(List.of());
    }

    /** What an ALTER TABLE tells of it: mysqld's words, which are about another case. */
    public List<SqlWarning> ofAlter() {
      return replaced
          .map(engine ->
              List.of(
                  warning(
                      ErrorCode.ER_UNKNOWN_STORAGE_ENGINE,
                      "Unknown storage engine '" + engine + "'")))
          .orElse(List.of());
    }
  }

  /**
   * Looks at the options of a CREATE TABLE or an action of an ALTER TABLE.
   *
   * @throws AlraiException 3161 where another engine may not be replaced
   */
  public static Allowed in(String text, DdlSession session) {
    TokenCursor tokens = new TokenCursor(text, session.ansiQuotes(), session.isWithoutEscapes());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder allowed = new StringBuilder();
    Optional<String> replaced = Optional.empty();
    int copied = 0;
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      TokenKind kind = tokens.kindAt(i);
      depth += kind == TokenKind.OPEN ? 1 : kind == TokenKind.CLOSE ? -1 : 0;
      if (depth == 0 && tokens.token(i).isWord("ENGINE")) {
        Optional<String> engine = disabledBehind(tokens, i);
        if (engine.isPresent()) {
          TokenCursor.Token name = tokens.token(tokens.position() - 1);
          allowed.append(text(bytes, copied, name.start())).append(INNODB);
          copied = name.end();
          replaced = engine;
        }
      }
    }
    replaced.ifPresent(engine -> require(engine, session));
    return new Allowed(allowed.append(text(bytes, copied, bytes.length)).toString(), replaced);
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** Leaves the cursor after the name. */
  private static Optional<String> disabledBehind(TokenCursor tokens, int option) {
    tokens.moveTo(option + 1);
    tokens.takeOperator("=");
    boolean named =
        !tokens.atEnd()
            && (tokens.kind() == TokenKind.STRING || tokens.token(tokens.position()).isName());
    return named
        ? Optional.ofNullable(DISABLED.get(tokens.identifierOrString().toUpperCase(Locale.ROOT)))
        : Optional.empty();
  }

  private static void require(String engine, DdlSession session) {
    if (session.keepsEngines() && !ALWAYS_REPLACED.contains(engine)) {
      throw new AlraiException(
          ErrorCode.ER_DISABLED_STORAGE_ENGINE,
          disabled(engine)
              + " With a sql_mode without NO_ENGINE_SUBSTITUTION InnoDB takes its place");
    }
  }

  /**
   * Checks what a mysqld has made, as of {@code default_storage_engine}.
   *
   * @throws AlraiException 3161 for another engine
   */
  public static void requireInnoDb(TableText text) {
    if (!text.engine().equalsIgnoreCase(INNODB)) {
      throw new AlraiException(ErrorCode.ER_DISABLED_STORAGE_ENGINE, disabled(text.engine()));
    }
  }

  private static String disabled(String engine) {
    return "Storage engine " + engine + " is disabled (Table creation is disallowed).";
  }

  private static SqlWarning warning(ErrorCode code, String sentence) {
    return new SqlWarning("Warning", code.errno(), sentence);
  }
}
