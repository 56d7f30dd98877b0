package io.alrai.optimizer.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The body of a trigger that stays with its row, or of a function.
 *
 * @param text as the client wrote it
 * @param ansiQuotes whether double quotes are those of names in it
 * @param noBackslashEscapes whether a backslash is an ordinary character in it
 * @param reads the columns after NEW and OLD, but for those that are only assigned
 * @param sets the columns that it assigns
 * @param varying what gives another value on each server, such as {@code UUID}; empty when nothing
 *     does
 * @param known pieces of the text that mean something else on the servers of rows, in order
 * @param qualifiers of columns, in order
 * @param parts its statements and queries that may name tables, in order
 * @param filled the tables of INSERT and REPLACE with rows of values, in order
 * @param calls the functions that it calls, MySQL's own too, in order
 */
public record TriggerBody(
    String text,
    boolean ansiQuotes,
    boolean noBackslashEscapes,
    List<String> reads,
    List<String> sets,
    String varying,
    List<Known> known,
    List<Qualifier> qualifiers,
    List<Part> parts,
    List<Filled> filled,
    List<Called> calls) {
  public TriggerBody {
    reads = List.copyOf(reads);
    sets = List.copyOf(sets);
    known = List.copyOf(known);
    qualifiers = List.copyOf(qualifiers);
    parts = List.copyOf(parts);
    filled = List.copyOf(filled);
    calls = List.copyOf(calls);
  }

  /** What is known when the trigger is made. */
  public enum Meaning {
    /** CURRENT_USER: within a trigger its definer. */
    DEFINER,
    /** DATABASE() and SCHEMA(): within a trigger its own schema. */
    SCHEMA
  }

  /** A piece of the text, from one index up to another one, exclusive. */
  public record Known(Meaning meaning, int start, int end) {}

  /**
   * The schema before a column's table, which goes where it is the body's own: that has another
   * name where rows are, and the body's tables are in one place.
   *
   * @param end index after the point
   */
  public record Qualifier(String schema, int start, int end) {}

  /**
   * A statement or a query.
   *
   * @param start index of its first character
   * @param text as written, but for numbers in place of variables after LIMIT
   * @param variables the body's variables there, in lower case: no columns where they stand alone
   */
  public record Part(int start, String text, Set<String> variables) {
    public Part {
      variables = Set.copyOf(variables);
    }
  }

  /**
   * A table that gets rows of values.
   *
   * @param start index of the first character of its name, with the schema
   * @param end index after it
   */
  public record Filled(
      int start,
      int end,
      Optional<String> schema,
      String table,
      boolean replaces,
      boolean updates) {}

  /**
   * A function that is called without a schema's name.
   *
   * @param name in lower case
   * @param start index of the first character of the name
   * @param end index after it
   */
  public record Called(String name, int start, int end) {}

  /** The names of the functions that it calls. */
  public Set<String> callees() {
    return calls.stream().map(Called::name).collect(Collectors.toSet());
  }

  /** What stands in place of a piece of the text. */
  public record Edit(int start, int end, String sql) {}

  /**
   * The text as it runs where rows are.
   *
   * @param names those of its tables and stored functions
   */
  public String at(String definer, String schema, List<Edit> names) {
    List<Edit> edits = new ArrayList<>(names);
    for (Qualifier qualifier : qualifiers) {
      if (qualifier.schema().equals(schema)) {
        edits.add(new Edit(qualifier.start(), qualifier.end(), ""));
      }
    }
    for (Known piece : known) {
      String value = piece.meaning() == Meaning.DEFINER ? definer : schema;
      edits.add(new Edit(piece.start(), piece.end(), literal(value)));
    }
    edits.sort(Comparator.comparingInt(Edit::start));
    StringBuilder written = new StringBuilder();
    int from = 0;
    for (Edit edit : edits) {
      written.append(text, from, edit.start()).append(edit.sql());
      from = edit.end();
    }
    return written.append(text.substring(from)).toString();
  }

  /** In hexadecimal: the same under every sql_mode. */
  private static String literal(String value) {
    return "(_utf8mb4 0x"
        + HexFormat.of().withUpperCase().formatHex(value.getBytes(StandardCharsets.UTF_8))
        + ")";
  }
}
