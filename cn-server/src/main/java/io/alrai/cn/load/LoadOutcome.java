package io.alrai.cn.load;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.wire.OkPacket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the mysqlds say of the parts of a file, as of one file. Thread-safe. */
public final class LoadOutcome {
  private static final Pattern INFO =
      Pattern.compile("Records: \\d+ +Deleted: (\\d+) +Skipped: (\\d+) +Warnings: (\\d+)");

  /** Sentences of a mysqld that name a row: in front, or at the end. */
  private static final Pattern ROW = Pattern.compile("^Row (\\d+) | at row (\\d+)$");

  private final int mostConditions;
  private final List<Integer> ofAll;
  private final List<Numbered> conditions = new ArrayList<>();
  private long affectedRows;
  private long deleted;
  private long skipped;
  private long warnings;

  private record Numbered(long row, Condition condition) {}

  /**
   * An outcome without parts.
   *
   * @param mostConditions so many warnings are kept, those of the first rows
   * @param ofAll warnings that the mysqlds give for each part, and the client gets once
   */
  public LoadOutcome(int mostConditions, List<Condition> ofAll) {
    this.mostConditions = mostConditions;
    this.ofAll = ofAll.stream().map(Condition::code).toList();
    this.warnings = ofAll.size();
    ofAll.forEach(condition -> conditions.add(new Numbered(0, condition)));
  }

  synchronized void add(FilePart part, OkPacket ok, Collection<Condition> told) {
    Matcher info = INFO.matcher(ok.info());
    boolean counted = info.find();
    deleted += counted ? Long.parseLong(info.group(1)) : 0;
    skipped += counted ? Long.parseLong(info.group(2)) : 0;
    warnings += counted ? Long.parseLong(info.group(3)) : ok.warnings();
    warnings -= ofAll.size();
    affectedRows += ok.affectedRows();
    // what names no row follows what was said of its row before
    long row = part.number(1);
    for (Condition condition : told) {
      if (ofAll.contains(condition.code())) {
        continue;
      }
      Numbered numbered = numbered(part, condition, row);
      row = numbered.row();
      conditions.add(numbered);
    }
    if (conditions.size() > 2 * mostConditions + 64) {
      keepFirst();
    }
  }

  private void keepFirst() {
    conditions.sort(Comparator.comparingLong(Numbered::row));
    if (conditions.size() > mostConditions) {
      conditions.subList(mostConditions, conditions.size()).clear();
    }
  }

  private static Numbered numbered(FilePart part, Condition condition, long before) {
    Matcher row = ROW.matcher(condition.message());
    if (!row.find()) {
      return new Numbered(before, condition);
    }
    long number = part.number(Long.parseLong(row.group(row.group(1) == null ? 2 : 1)));
    return new Numbered(
        number,
        new Condition(condition.level(), condition.code(), inFile(part, condition.message())));
  }

  /** A mysqld's sentence with the row's number in the client's file. */
  static String inFile(FilePart part, String sentence) {
    Matcher row = ROW.matcher(sentence);
    if (!row.find()) {
      return sentence;
    }
    int group = row.group(1) == null ? 2 : 1;
    return sentence.substring(0, row.start(group))
        + part.number(Long.parseLong(row.group(group)))
        + sentence.substring(row.end(group));
  }

  /** The warnings that are kept, by their rows. */
  public synchronized List<Condition> conditions() {
    keepFirst();
    return conditions.stream().map(Numbered::condition).toList();
  }

  /** Rows that came or went. */
  public synchronized long affectedRows() {
    return affectedRows;
  }

  /** Rows that REPLACE took away. */
  public synchronized long deleted() {
    return deleted;
  }

  /** Rows that were there already. */
  public synchronized long skipped() {
    return skipped;
  }

  /** How many there were, those included that are not kept. */
  public synchronized long warnings() {
    return warnings;
  }
}
