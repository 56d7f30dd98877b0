package io.alrai.dn.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A package that another one needs or gives, as in {@code libc6 (>= 2.38)}.
 *
 * @param name without a qualifier such as {@code :any}
 * @param operator one of {@code << <= = >= >>}; empty when any version will do
 * @param version empty when any version will do
 */
record Relation(String name, String operator, String version) {
  private static final Pattern FORM =
      Pattern.compile(
          "([a-z0-9][a-z0-9+.-]*)(?::[a-z0-9-]+)?\\s*"
              + "(?:\\(\\s*(<<|<=|=|>=|>>)\\s*([^\\s)]+)\\s*\\))?\\s*(?:\\[[^]]*])?");

  /**
   * What is between commas must all be there, of what is between bars one.
   *
   * @throws FetchException when it is no list of packages
   */
  static List<List<Relation>> list(String field) throws FetchException {
    List<List<Relation>> all = new ArrayList<>();
    for (String group : field.split(",", -1)) {
      List<Relation> alternatives = new ArrayList<>();
      for (String one : group.split("\\|", -1)) {
        if (!one.isBlank()) {
          alternatives.add(of(one.strip()));
        }
      }
      if (!alternatives.isEmpty()) {
        all.add(List.copyOf(alternatives));
      }
    }
    return all;
  }

  private static Relation of(String text) throws FetchException {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new FetchException("its list of packages names a package in an unknown form: " + text);
    }
    String operator = matcher.group(2);
    String version = matcher.group(3);
    return new Relation(
        matcher.group(1), operator == null ? "" : operator, version == null ? "" : version);
  }

  /** Whether a package of this version will do. */
  boolean isMetBy(String candidate) {
    return operator.isEmpty()
        || new DebianVersion(candidate).is(operator, new DebianVersion(version));
  }

  @Override
  public String toString() {
    return operator.isEmpty() ? name : name + " (" + operator + " " + version + ")";
  }
}
