package io.alrai.cn.write;

import io.alrai.cn.load.LineScanner;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.TemplateText;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.optimizer.api.AdminStatement.ColumnValue;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file as rows of multi-row INSERTs, where the CN must know or make what is in their
 * columns. One thread.
 */
final class InsertedLines {
  private static final Pattern VARIABLE =
      Pattern.compile("'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.|\"\")*\"|@`?([\\w$.]+)`?");

  private final StatementRun run;
  private final LoadDataLocal load;
  private final InsertRows rows;
  private final List<String> fileColumns;
  private final LiteralText literals;
  private final byte[] introducer;
  private final RowBatches batches;
  private final InsertOutcome outcome;
  private final int mostConditions;
  private final List<Condition> conditions = new ArrayList<>();
  private long warnings;
  private long lines;

  /**
   * Begins without lines.
   *
   * @param mostConditions so many warnings are kept
   * @param ofAll warnings of the statement itself
   */
  InsertedLines(
      ExecutorParts parts,
      StatementRun run,
      LoadDataLocal load,
      PlacedLines.Target target,
      InsertOutcome outcome,
      int mostConditions,
      List<Condition> ofAll) {
    this.run = run;
    this.load = load;
    this.rows = target.rows();
    this.fileColumns = target.fileColumns();
    this.literals = SessionText.literals(run.session().variables());
    this.introducer =
        target.charset().equals(SessionText.COPIED) && literals.unconverted()
            ? new byte[0]
            : ("_" + target.charset() + " ").getBytes(StandardCharsets.US_ASCII);
    this.batches = new RowBatches(parts, run, rows, target.charset());
    this.outcome = outcome;
    this.mostConditions = mostConditions;
    this.warnings = ofAll.size();
    ofAll.forEach(this::keep);
  }

  /** Takes the present line. */
  void add(LineScanner line) {
    lines++;
    batches.add(row(line));
    if (batches.isFull()) {
      send();
    }
  }

  /** Sends the rows so far, and keeps what the mysqlds warn of. */
  void send() {
    batches.send(outcome);
    for (Condition condition : run.shards().takeWarnings()) {
      keep(condition);
    }
  }

  private void keep(Condition condition) {
    if (conditions.size() < mostConditions) {
      conditions.add(condition);
    }
  }

  /** The first warnings, in the order of their lines and batches. */
  List<Condition> conditions() {
    return List.copyOf(conditions);
  }

  /** The first id that was made for a line, or 0. */
  long firstMade() {
    return batches.ids().first();
  }

  /** How many warnings there were. */
  long warnings() {
    return warnings + outcome.warnings();
  }

  private LoadedRow row(LineScanner line) {
    LoadedRow row = new LoadedRow(literals, introducer);
    Map<String, byte @Nullable []> variables = new HashMap<>();
    for (int i = 0; i < fileColumns.size(); i++) {
      String column = fileColumns.get(i);
      boolean there = i < line.count();
      byte[] value = there ? line.value(i) : null;
      if (column.startsWith("@")) {
        variables.put(column.substring(1), value);
      } else if (there) {
        row.field(value);
      } else {
        row.defaultValue();
      }
    }
    if (line.count() < fileColumns.size()) {
      warn(1261, "Row " + lines + " doesn't contain data for all columns");
    } else if (line.isCut()) {
      warn(
          1262,
          "Row " + lines + " was truncated; it contained more data than there were input columns");
    }
    for (ColumnValue assignment : load.set()) {
      assign(row, assignment, variables);
    }
    for (int i = row.count(); i < rows.columns().size(); i++) {
      row.defaultValue();
    }
    return row;
  }

  /** Adds an assignment's cell: a variable's field as it is, or the SQL with its literals. */
  private void assign(
      LoadedRow row, ColumnValue assignment, Map<String, byte @Nullable []> variables) {
    byte[] rendered = TemplateText.render(assignment.value(), run.values(), "", run.session());
    // ISO 8859-1 stands for bytes
    String text = new String(rendered, StandardCharsets.ISO_8859_1);
    Matcher matcher = VARIABLE.matcher(text.strip());
    if (matcher.matches() && isOfLine(matcher.group(1), variables)) {
      row.field(variables.get(matcher.group(1).toLowerCase(Locale.ROOT)));
      return;
    }
    matcher = VARIABLE.matcher(text);
    StringBuilder sql = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      String replacement = matcher.group();
      if (isOfLine(name, variables)) {
        byte[] value = variables.get(name.toLowerCase(Locale.ROOT));
        replacement =
            value == null ? "NULL" : new String(row.literal(value), StandardCharsets.ISO_8859_1);
      }
      matcher.appendReplacement(sql, Matcher.quoteReplacement(replacement));
    }
    row.expression(matcher.appendTail(sql).toString());
  }

  private static boolean isOfLine(@Nullable String name, Map<String, byte @Nullable []> variables) {
    return name != null && variables.containsKey(name.toLowerCase(Locale.ROOT));
  }

  private void warn(int code, String message) {
    warnings++;
    keep(new Condition("Warning", code, message));
  }
}
