package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.TableText;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * From a table's definitions before and after an ALTER TABLE that has dropped no column to the
 * actions that undo it.
 */
public final class InverseAlter {
  private static final Pattern CHARSET = Pattern.compile("DEFAULT CHARSET=\\w+(?: COLLATE=\\w+)?");
  private static final String STRING = "'(?:[^'\\\\]|\\\\.|'')*'";
  private static final String NAME = "`((?:[^`]|``)+)`";
  private static final Pattern QUOTED = Pattern.compile(STRING + "|" + NAME);
  private static final Pattern OPTION = Pattern.compile("(\\w+)='?");

  /** How an option that was not there before is taken away. */
  private static final Map<String, String> WITHOUT =
      Map.of(
          "COMMENT", "COMMENT=''",
          "ROW_FORMAT", "ROW_FORMAT=DEFAULT",
          "STATS_PERSISTENT", "STATS_PERSISTENT=DEFAULT",
          "STATS_AUTO_RECALC", "STATS_AUTO_RECALC=DEFAULT",
          "STATS_SAMPLE_PAGES", "STATS_SAMPLE_PAGES=DEFAULT",
          "KEY_BLOCK_SIZE", "KEY_BLOCK_SIZE=0",
          "MAX_ROWS", "MAX_ROWS=0",
          "MIN_ROWS", "MIN_ROWS=0",
          "AVG_ROW_LENGTH", "AVG_ROW_LENGTH=0",
          "COMPRESSION", "COMPRESSION='NONE'");

  private final TableText before;
  private final TableText after;
  private final Map<String, String> oldNames = new HashMap<>();
  private final List<String> actions = new ArrayList<>();

  private InverseAlter(TableText before, TableText after, Map<String, String> renamedColumns) {
    this.before = before;
    this.after = after;
    boolean changed =
        !List.copyOf(before.columns().entrySet()).equals(List.copyOf(after.columns().entrySet()));
    if (changed) {
      renamedColumns.forEach((from, to) ->
          oldNames.put(spelled(after.columns(), to), spelled(before.columns(), from)));
    }
  }

  /**
   * The actions, as one ALTER TABLE without the table's name; empty when the two are equal.
   *
   * @param renamedColumns old names to new ones
   */
  public static String of(TableText before, TableText after, Map<String, String> renamedColumns) {
    InverseAlter inverse = new InverseAlter(before, after, renamedColumns);
    inverse.constraints();
    inverse.keysThatCame();
    inverse.columns();
    inverse.keysThatWent();
    inverse.options();
    return String.join(", ", inverse.actions);
  }

  /** A key's or constraint's text with the columns' old names. */
  private String withOldNames(String text) {
    return QUOTED
        .matcher(text)
        .replaceAll(name ->
            Matcher.quoteReplacement(
                name.group(1) == null ? name.group() : oldName(name.group(1).replace("``", "`"))));
  }

  private String oldName(String name) {
    return Identifier.quote(oldNames.getOrDefault(name, name));
  }

  private void constraints() {
    after
        .constraints()
        .forEach((name, text) -> {
          if (!withOldNames(text).equals(before.constraints().get(name))) {
            actions.add("DROP CONSTRAINT " + Identifier.quote(name));
          }
        });
    before
        .constraints()
        .forEach((name, text) -> {
          if (!text.equals(withOldNames(after.constraints().getOrDefault(name, "")))) {
            actions.add("ADD CONSTRAINT " + Identifier.quote(name) + " " + text);
          }
        });
  }

  private void keysThatCame() {
    after
        .keys()
        .forEach((name, text) -> {
          if (!withOldNames(text).equals(before.keys().get(name))) {
            actions.add(
                name.equals(TableText.PRIMARY)
                    ? "DROP PRIMARY KEY"
                    : "DROP INDEX " + Identifier.quote(name));
          }
        });
  }

  private void keysThatWent() {
    before
        .keys()
        .forEach((name, text) -> {
          if (!text.equals(withOldNames(after.keys().getOrDefault(name, "")))) {
            actions.add("ADD " + text);
          }
        });
  }

  private void columns() {
    Map<String, String> present = new LinkedHashMap<>();
    after
        .columns()
        .keySet()
        .forEach(name -> {
          String old = oldNames.getOrDefault(name, name);
          if (before.columns().containsKey(old)) {
            present.put(old, name);
          } else {
            actions.add("DROP COLUMN " + Identifier.quote(name));
          }
        });
    List<String> order = before.columns().keySet().stream().filter(present::containsKey).toList();
    boolean moved = !order.equals(List.copyOf(present.keySet()));
    boolean converted = !charset(before).equals(charset(after));
    Optional<String> previous = Optional.empty();
    for (String old : order) {
      String name = present.getOrDefault(old, old);
      String text = before.columns().getOrDefault(old, "");
      if (moved || converted || !name.equals(old) || !text.equals(after.columns().get(name))) {
        actions.add(
            "CHANGE COLUMN "
                + Identifier.quote(name)
                + " "
                + Identifier.quote(old)
                + " "
                + text
                + (moved
                    ? previous.map(p -> " AFTER " + Identifier.quote(p)).orElse(" FIRST")
                    : ""));
      }
      previous = Optional.of(old);
    }
  }

  private void options() {
    if (before.options().equals(after.options())) {
      return;
    }
    StringBuilder text = new StringBuilder(before.options());
    WITHOUT.forEach((option, without) -> {
      if (has(after, option) && !has(before, option)) {
        text.append(' ').append(without);
      }
    });
    actions.add(text.toString());
  }

  private static boolean has(TableText table, String option) {
    Matcher matcher = OPTION.matcher(table.options().replaceAll(STRING, "''"));
    while (matcher.find()) {
      if (matcher.group(1).equals(option)) {
        return true;
      }
    }
    return false;
  }

  private static String charset(TableText table) {
    Matcher matcher = CHARSET.matcher(table.options());
    return matcher.find() ? matcher.group() : "";
  }

  private static String spelled(Map<String, String> columns, String name) {
    return columns.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
  }
}
