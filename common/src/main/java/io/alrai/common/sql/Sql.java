package io.alrai.common.sql;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.regex.Pattern;

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
  public static final Sql EMPTY = new Sql("", false);

  /** Printable ASCII without quote and backslash. */
  private static final Pattern PLAIN = Pattern.compile("[ -&(-\\[\\]-~]*");

  private static final Pattern WORD = Pattern.compile("\\w+");

  private final String text;
  private final boolean written;

  private Sql(String text, boolean written) {
    this.text = text;
    this.written = written;
  }

  private Sql and(String more) {
    return new Sql(text + more, written);
  }

  /**
   * A text that a client wrote or a mysqld printed, see {@link #written(String)}. The one way by
   * which a text of another's comes in: whoever reviews texts looks for it.
   */
  public static Sql client(String parsed) {
    return new Sql(parsed, true);
  }

  /** A text that begins with these words. */
  public static Sql of(@CompileTimeConstant String words) {
    return new Sql(words, false);
  }

  /** The name in backquotes, whatever it has in it. */
  public static String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /** Texts with words between them. */
  public static Sql join(@CompileTimeConstant String words, Collection<Sql> texts) {
    StringBuilder joined = new StringBuilder();
    boolean written = false;
    String between = "";
    for (Sql text : texts) {
      joined.append(between).append(text.text);
      between = words;
      written |= text.written;
    }
    return new Sql(joined.toString(), written);
  }

  /** Words of the program. */
  public Sql words(@CompileTimeConstant String words) {
    return and(words);
  }

  /** A name. */
  public Sql name(String name) {
    return and(quote(name));
  }

  /** A name in a schema. */
  public Sql name(String schema, String name) {
    return and(quote(schema) + "." + quote(name));
  }

  /** Names with commas between them. */
  public Sql names(Collection<String> names) {
    return and(String.join(", ", names.stream().map(Sql::quote).toList()));
  }

  /**
   * A string, in a form that is an expression only: where the grammar wants a literal, as after
   * COMMENT, it is an error.
   */
  public Sql string(String value) {
    return and("_utf8mb4 ").hex(value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A string: in quotes if it has printable ASCII only, which reads alike under every mode and
   * character set, else as {@link #string} has it.
   */
  public Sql literal(String value) {
    return PLAIN.matcher(value).matches() ? and("'" + value + "'") : string(value);
  }

  /** A number. */
  public Sql number(long value) {
    return and(Long.toString(value));
  }

  /**
   * A word that is none of the program's constants, such as a character set's name.
   *
   * @throws IllegalArgumentException for anything but letters, digits and {@code _}
   */
  public Sql word(String word) {
    if (!WORD.matcher(word).matches()) {
      throw new IllegalArgumentException("no word of MySQL's: " + word);
    }
    return and(word);
  }

  /** Bytes, as a string of no character set: {@code x'6162'}. */
  public Sql hex(byte[] bytes) {
    return and("x'" + HexFormat.of().formatHex(bytes) + "'");
  }

  /** A system variable. */
  public Sql variable(VariableName name) {
    return and(name.text());
  }

  /** A number without a sign, of 64 bits. */
  public Sql unsigned(long value) {
    return and(Long.toUnsignedString(value));
  }

  /**
   * Text that a client wrote or a mysqld printed, and that was parsed as whole tokens: a clause, an
   * expression, a definition. Names and values that were taken out of their quotes are none.
   */
  public Sql written(String parsed) {
    return new Sql(text + parsed, true);
  }

  /** This text, and another one after it. */
  public Sql add(Sql other) {
    return new Sql(text + other.text, written || other.written);
  }

  /**
   * Whether a part of it is {@link #written}: as the client's bytes were read by the character set
   * of its session, so they are to be encoded.
   */
  public boolean isWritten() {
    return written;
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
