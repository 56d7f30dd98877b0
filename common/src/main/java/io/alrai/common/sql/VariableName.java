package io.alrai.common.sql;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The name of a system variable in lower case, without {@code @@} and scope: at most {@value
 * #LONGEST} letters, digits, {@code _} and {@code $}, with at most one dot, before which stands a
 * component ({@code validate_password.length}) or a key cache. So it can stand in a statement as it
 * is: whatever a client writes in backquotes, nothing else gets into a text for a mysqld.
 */
public final class VariableName implements Comparable<VariableName> {
  private static final int LONGEST = 64;

  private static final Pattern FORM = Pattern.compile("[a-z0-9_$]+(\\.[a-z0-9_$]+)?");

  private final String text;

  private VariableName(String text) {
    this.text = text;
  }

  /**
   * A name as a client writes it, without quotes, in any case.
   *
   * @throws AlraiException 1193 for what cannot be the name of a variable
   */
  public static VariableName of(String written) {
    String lower = written.toLowerCase(Locale.ROOT);
    if (lower.length() > LONGEST || !FORM.matcher(lower).matches()) {
      throw unknown(written);
    }
    return new VariableName(lower);
  }

  /** MySQL's error 1193. */
  public static AlraiException unknown(String written) {
    String shown = written.length() > LONGEST ? written.substring(0, LONGEST) : written;
    return new AlraiException(
        ErrorCode.ER_UNKNOWN_SYSTEM_VARIABLE, "Unknown system variable '" + shown + "'");
  }

  /** The name, which is SQL. */
  public String text() {
    return text;
  }

  @Override
  public int compareTo(VariableName other) {
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VariableName that && text.equals(that.text);
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
