package io.alrai.cn.statement;

import io.alrai.common.wire.OkPacket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The outcomes of a write's parts as one. One thread. */
public final class WriteOutcome {
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern UPDATE_STATEMENT =
      Pattern.compile(
          "^\\s*(?:WITH\\b.*\\))?\\s*UPDATE\\b", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern UPDATE =
      Pattern.compile("Rows matched: (\\d+)  Changed: (\\d+)  Warnings: (\\d+)");

  private long affectedRows;
  private long lastInsertId;
  private long matched;
  private long changed;
  private int warnings;
  private final boolean update;

  /**
   * Begins without parts.
   *
   * @param update whether the statement is an UPDATE, which tells more than its affected rows
   */
  public WriteOutcome(boolean update) {
    this.update = update;
  }

  /** Whether a run's statement is an UPDATE, maybe with common tables before it. */
  public static boolean isUpdate(StatementRun run) {
    return UPDATE_STATEMENT.matcher(run.statement().shape()).find();
  }

  /** Adds a part's outcome. */
  public void add(OkPacket ok) {
    affectedRows += ok.affectedRows();
    lastInsertId = Math.max(lastInsertId, ok.lastInsertId());
    warnings += ok.warnings();
    Matcher info = UPDATE.matcher(ok.info());
    if (info.find()) {
      matched += Long.parseLong(info.group(1));
      changed += Long.parseLong(info.group(2));
    }
  }

  /** Adds warnings of what chose the rows. */
  public void warned(int count) {
    warnings += count;
  }

  /** The outcome of UPDATE or DELETE. */
  public OkPacket ok(int status) {
    String info =
        update
            ? "Rows matched: " + matched + "  Changed: " + changed + "  Warnings: " + warnings
            : "";
    return new OkPacket(affectedRows, lastInsertId, status, Math.min(warnings, 0xffff), info);
  }

  long affectedRows() {
    return affectedRows;
  }

  int warnings() {
    return warnings;
  }

  /** The first number of {@code Records: n Duplicates: n Warnings: n}; 0 where there is none. */
  public static long records(String info) {
    Matcher numbers = NUMBER.matcher(info);
    return info.startsWith("Records") && numbers.find() ? Long.parseLong(numbers.group()) : 0;
  }

  /** The second number of {@code Records: n Duplicates: n Warnings: n}; -1 where there is none. */
  public static long duplicates(String info) {
    if (!info.startsWith("Records")) {
      return -1;
    }
    Matcher numbers = NUMBER.matcher(info);
    boolean second = numbers.find();
    second &= numbers.find();
    return second ? Long.parseLong(numbers.group()) : -1;
  }
}
