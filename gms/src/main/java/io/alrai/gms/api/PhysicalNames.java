package io.alrai.gms.api;

import java.util.Comparator;
import java.util.Optional;

/**
 * From names of physical schemas, which no client has heard of, to those of the databases that they
 * belong to.
 *
 * @param catalog has the databases
 */
public record PhysicalNames(Catalog catalog) {
  /**
   * Whether a physical schema has that name, or may get it: a number follows an {@code a}, and a
   * partition's number or {@code _b} follows that; or the name of a database that has its name for
   * a stem stands there.
   */
  public boolean taken(String name) {
    int at = name.lastIndexOf('_');
    return at > 0
        && Schema.suffixEnd(name, at) == name.length()
        && (numbered(name, at) == 0 || logical(name).isPresent());
  }

  /** The database that a physical schema belongs to. */
  public Optional<String> logical(String physical) {
    return catalog.schemas().values().stream()
        .filter(schema -> Schema.isPhysical(schema.stem(), physical))
        .map(Schema::name)
        .findFirst();
  }

  /**
   * A mysqld's text with the databases' names: {@code a17_p00003.t} becomes {@code shop.t}. As in
   * MySQL's own, a backtick in a name is not doubled between backticks.
   */
  public String inText(String text) {
    StringBuilder told = new StringBuilder();
    int done = 0;
    for (int at = text.indexOf('_'); at >= 0; at = text.indexOf('_', at + 1)) {
      int end = Schema.suffixEnd(text, at);
      Optional<Schema> schema =
          end < 0 || isWord(text, end) ? Optional.empty() : before(text, done, at);
      if (schema.isPresent()) {
        int start = at - schema.get().stem().length();
        told.append(text, done, start).append(schema.get().name());
        done = end;
      }
    }
    return done == 0 ? text : told.append(text, done, text.length()).toString();
  }

  /** The schema whose stem ends there, and begins where nothing was read yet. */
  private Optional<Schema> before(String text, int from, int at) {
    return catalog.schemas().values().stream()
        .filter(schema -> endsWith(text, from, at, schema.stem()))
        .max(Comparator.comparingInt(schema -> schema.stem().length()));
  }

  private static boolean endsWith(String text, int from, int at, String stem) {
    int start = at - stem.length();
    return start >= from && !isWord(text, start - 1) && text.startsWith(stem, start);
  }

  /** Where a stem with a number begins; -1 when there is none. */
  private static int numbered(String text, int at) {
    int start = at;
    while (start > 0 && Schema.isDigit(text.charAt(start - 1))) {
      start--;
    }
    return start < at && is(text, start - 1, 'a') ? start - 1 : -1;
  }

  private static boolean isWord(String text, int at) {
    if (at < 0 || at >= text.length()) {
      return false;
    }
    char c = text.charAt(at);
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  private static boolean is(String text, int at, char c) {
    return at >= 0 && at < text.length() && text.charAt(at) == c;
  }
}
