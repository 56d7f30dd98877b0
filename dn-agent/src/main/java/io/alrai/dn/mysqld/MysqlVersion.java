package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A MySQL server version, ordered.
 *
 * @param major 9 in 9.7.4
 * @param minor 7 in 9.7.4
 * @param patch 4 in 9.7.4
 */
public record MysqlVersion(int major, int minor, int patch) implements Comparable<MysqlVersion> {
  /** The oldest version that Alrai works with. */
  public static final MysqlVersion OLDEST = new MysqlVersion(8, 4, 0);

  private static final Pattern VERSION = Pattern.compile("\\bVer (\\d+)\\.(\\d+)\\.(\\d+)(\\S*)");
  private static final Comparator<MysqlVersion> ORDER =
      Comparator.comparingInt(MysqlVersion::major)
          .thenComparingInt(MysqlVersion::minor)
          .thenComparingInt(MysqlVersion::patch);

  /**
   * Reads what {@code mysqld --version} prints.
   *
   * @throws MysqldException UNSUITABLE when it is MariaDB, older than {@link #OLDEST}, or not to be
   *     understood; the sentence says which
   */
  public static MysqlVersion ofServerOutput(String output) {
    String line = output.strip();
    Matcher matcher = VERSION.matcher(line);
    if (!matcher.find()) {
      throw new MysqldException(
          Reason.UNSUITABLE, "it does not print a MySQL version but: " + firstLine(line));
    }
    String number = matcher.group(1) + "." + matcher.group(2) + "." + matcher.group(3);
    if (line.contains("MariaDB")) {
      throw new MysqldException(
          Reason.UNSUITABLE,
          "it is MariaDB " + number + "; Alrai needs a MySQL server, " + OLDEST + " or newer");
    }
    MysqlVersion version;
    try {
      version =
          new MysqlVersion(
              Integer.parseInt(matcher.group(1)),
              Integer.parseInt(matcher.group(2)),
              Integer.parseInt(matcher.group(3)));
    } catch (NumberFormatException e) {
      throw new MysqldException(Reason.UNSUITABLE, "its version is no version: " + number, e);
    }
    if (version.compareTo(OLDEST) < 0) {
      throw new MysqldException(
          Reason.UNSUITABLE, "it is MySQL " + version + "; Alrai needs " + OLDEST + " or newer");
    }
    return version;
  }

  private static String firstLine(String text) {
    return text.isEmpty() ? "(nothing)" : text.lines().findFirst().orElse(text);
  }

  @Override
  public int compareTo(MysqlVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
