package io.alrai.gms.api;

import java.util.List;
import java.util.Locale;

/**
 * A rule that bounds how many statements of a kind each CN runs at a time.
 *
 * @param name as it was given; names are compared without case
 * @param limits what holds of the statements that it matches
 * @param createdMillis when it was created, milliseconds since 1970: of two rules that match a
 *     statement the older one holds
 */
public record CclRule(
    String name, Scope on, Client to, Verb verb, Filter filter, Limits limits, long createdMillis) {
  /** Stands for every schema, and every table. */
  public static final String ANY = "*";

  /** How many characters its keywords may have in all. */
  public static final int MOST_KEYWORDS = 512;

  /** Of which table; {@link #ANY} for every one. */
  public record Scope(String schema, String table) {
    /** Whether it is about every statement, those without tables, too. */
    public boolean isAny() {
      return schema.equals(ANY) && table.equals(ANY);
    }

    /** Whether that table is one of them. */
    public boolean has(String itsSchema, String itsTable) {
      return (schema.equals(ANY) || schema.equals(itsSchema))
          && (table.equals(ANY) || table.equals(itsTable));
    }

    @Override
    public String toString() {
      return schema + "." + table;
    }
  }

  /**
   * Of whose statements.
   *
   * @param user empty for everybody's
   * @param host with {@code %} and {@code _} as in LIKE
   */
  public record Client(String user, String host) {
    /** Of everybody, from anywhere. */
    public static final Client ANYBODY = new Client("", "%");
  }

  /** What the statements do; REPLACE counts as INSERT. */
  public enum Verb {
    SELECT,
    INSERT,
    UPDATE,
    DELETE
  }

  /**
   * What else they must have.
   *
   * @param keywords words, or whole values, that stand in this order in the statement
   * @param templates digests, in lower case, of which it has one; empty for any
   */
  public record Filter(List<String> keywords, List<String> templates) {
    /** Nothing. */
    public static final Filter NONE = new Filter(List.of(), List.of());

    public Filter {
      keywords = List.copyOf(keywords);
      templates = List.copyOf(templates);
    }
  }

  /**
   * What each CN keeps to.
   *
   * @param concurrency how many run at a time
   * @param queue how many more wait; others are refused
   * @param waitSeconds for how long they wait at most
   * @param fastMatch as it was given; it changes nothing
   */
  public record Limits(int concurrency, int queue, int waitSeconds, boolean fastMatch) {
    /** What holds where nothing is said. */
    public static final Limits USUAL = new Limits(0, 0, 600, true);
  }

  /** By which a rule is known. */
  public static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** This rule, created at another time. */
  public CclRule createdAt(long millis) {
    return new CclRule(name, on, to, verb, filter, limits, millis);
  }
}
