package io.alrai.common.sql;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;

/**
 * A text for a mysqld, or a part of one. Words can only be constants of the program, which the
 * compiler checks; names and values come in quotes that hold under any {@code sql_mode} and
 * character set. The one other way in is {@link #written}, for texts that were parsed as SQL.
 *
 * <pre>Sql.of("DROP TABLE ").name(schema, table).words(" RESTRICT")</pre>
 *
 * Immutable.
 */
public final class Sql {
  /** No text. */
  public static final Sql EMPTY = new Sql("");

  private final String text;

  private Sql(String text) {
    this.text = text;
  }

  /** A text that begins with these words. */
  public static Sql of(@CompileTimeConstant String words) {
    return new Sql(words);
  }

  /** The name in backquotes, whatever it has in it. */
  public static String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /** Texts with words between them. */
  public static Sql join(@CompileTimeConstant String words, Collection<Sql> texts) {
    StringBuilder joined = new StringBuilder();
    for (Sql text : texts) {
      if (!joined.isEmpty()) {
        joined.append(words);
      }
      joined.append(text.text);
    }
    return new Sql(joined.toString());
  }

  /** Words of the program. */
  public Sql words(@CompileTimeConstant String words) {
    return new Sql(text + words);
  }

  /** A name. */
  public Sql name(String name) {
    return new Sql(text + quote(name));
  }

  /** A name in a schema. */
  public Sql name(String schema, String name) {
    return new Sql(text + quote(schema) + "." + quote(name));
  }

  /** Names with commas between them. */
  public Sql names(Collection<String> names) {
    return new Sql(text + String.join(", ", names.stream().map(Sql::quote).toList()));
  }

  /**
   * A string, in a form that is an expression only: where the grammar wants a literal, as behind
   * COMMENT, it is an error.
   */
  public Sql string(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return new Sql(text + "_utf8mb4 x'" + HexFormat.of().formatHex(bytes) + "'");
  }

  /** A number. */
  public Sql number(long value) {
    return new Sql(text + value);
  }

  /**
   * Text that a client wrote or a mysqld printed, and that was parsed as whole tokens: a clause, an
   * expression, a definition. Names and values that were taken out of their quotes are none.
   */
  public Sql written(String parsed) {
    return new Sql(text + parsed);
  }

  /** Another text behind this one. */
  public Sql add(Sql other) {
    return new Sql(text + other.text);
  }

  /** Whether there is no text. */
  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** The text as a mysqld reads it. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sql sql && sql.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
