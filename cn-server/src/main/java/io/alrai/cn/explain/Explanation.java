package io.alrai.cn.explain;

import io.alrai.cn.explain.Step.Sample;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.common.type.JsonString;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Steps with what mysqlds say of them, in the format that these answer in:
 *
 * <ul>
 *   <li>the traditional table has the mysqlds' rows; the first one of each step says in Extra what
 *       the step is, and a note has all steps as a tree;
 *   <li>TREE has the mysqlds' trees below the steps;
 *   <li>JSON has the steps in the member {@code cluster}, beside the members of the first mysqld's
 *       answer; those of others are in their steps.
 * </ul>
 *
 * What one place does alone is as its mysqld says it, in all formats. One virtual thread.
 */
final class Explanation {
  private static final int NOTE = 1003;

  private final LogicalNames names;
  private final Charset charset;
  private final StringBuilder tree = new StringBuilder();
  private final StringBuilder json = new StringBuilder();
  private final List<List<@Nullable String>> table = new ArrayList<>();
  private List<ColumnDefinition> columns = List.of();
  private String firstText = "";
  private final Optional<Measured> measured;
  private boolean several;

  /**
   * An explanation without steps.
   *
   * @param charset in which the client gets it
   * @param measured what running the steps took, where they have run
   */
  Explanation(LogicalNames names, Charset charset, Optional<Measured> measured) {
    this.names = names;
    this.charset = charset;
    this.measured = measured;
  }

  /** Adds the last step, and what it takes. */
  void add(Step step, Function<Sample, MysqldPlan> ask) {
    several = !step.atOnePlace();
    add(step, ask, 0, "");
    measured.ifPresent(ran -> addAsked(ran.beside(), "    "));
  }

  /**
   * Adds a step.
   *
   * @param above what the traditional table has to say of steps above, which have no row there
   */
  private void add(Step step, Function<Sample, MysqldPlan> ask, int depth, String above) {
    String indent = "    ".repeat(depth);
    String said = join(above, step.text());
    if (!step.text().isEmpty()) {
      tree.append(indent).append("-> ").append(step.text());
      measured.filter(_ -> depth == 0).ifPresent(ran -> addActual(ran.whole()));
      tree.append('\n');
    }
    json.append("{\"step\": ");
    JsonString.append(json, step.text());
    measured.filter(_ -> depth == 0).ifPresent(ran -> json.append(", ").append(ran.whole().json()));
    measured.ifPresent(ran -> addAskedOf(ran.of(step), indent + "    "));
    step.sample().ifPresent(sample -> addPlan(sample, ask.apply(sample), step, depth, said));
    if (!step.before().isEmpty()) {
      json.append(", \"steps\": [");
      for (int i = 0; i < step.before().size(); i++) {
        json.append(i == 0 ? "" : ", ");
        add(step.before().get(i), ask, depth + 1, i == 0 && step.sample().isEmpty() ? said : "");
      }
      json.append(']');
    }
    json.append('}');
  }

  private void addActual(Actual actual) {
    tree.append("  ").append(actual.text());
  }

  /** What DNs were asked, below a step. */
  private void addAsked(Map<String, Actual> asked, String indent) {
    asked.forEach((what, actual) -> {
      tree.append(indent).append("-> ").append(what);
      addActual(actual);
      tree.append('\n');
    });
  }

  private void addAskedOf(Map<String, Actual> asked, String indent) {
    if (asked.isEmpty()) {
      return;
    }
    addAsked(asked, indent);
    json.append(", \"asked\": [");
    String between = "";
    for (Map.Entry<String, Actual> each : asked.entrySet()) {
      json.append(between).append("{\"dn\": ");
      JsonString.append(json, each.getKey());
      json.append(", ").append(each.getValue().json()).append('}');
      between = ", ";
    }
    json.append(']');
  }

  private static String join(String above, String text) {
    return above.isEmpty() || text.isEmpty() ? above + text : above + "; " + text;
  }

  private void addPlan(Sample sample, MysqldPlan plan, Step step, int depth, String said) {
    if (columns.isEmpty()) {
      columns =
          plan.columns().stream()
              .map(column -> column.withSchema(names.schema(column.schema())))
              .toList();
    }
    if (plan.isTable()) {
      addRows(plan, said);
      return;
    }
    String text = names.text(plan.text());
    boolean beside = firstText.isEmpty();
    firstText = beside ? text : firstText;
    indented(text, "    ".repeat(step.text().isEmpty() ? depth : depth + 1));
    json.append(", \"partitions\": ").append(sample.places().size());
    if (!beside && text.startsWith("{")) {
      json.append(", \"plan_of_one\": ").append(text);
    }
  }

  private void indented(String text, String indent) {
    text.lines().forEach(line -> tree.append(indent).append(line).append('\n'));
  }

  /** What the step is stands in Extra, the last column, of its first row. */
  private void addRows(MysqldPlan plan, String said) {
    for (int i = 0; i < plan.rows().size(); i++) {
      List<@Nullable String> row = new ArrayList<>();
      for (@Nullable String value : plan.rows().get(i)) {
        row.add(value == null ? null : names.text(value));
      }
      if (i == 0 && !said.isEmpty()) {
        @Nullable String extra = row.getLast();
        row.set(row.size() - 1, extra == null ? said : extra + "; " + said);
      }
      table.add(row);
    }
  }

  /** The steps, for readers of the traditional table. */
  List<Condition> notes() {
    return several && !table.isEmpty()
        ? List.of(new Condition("Note", NOTE, tree.toString().strip()))
        : List.of();
  }

  /** Answers the client. */
  void writeTo(ResultWriter writer, int warnings, int status) {
    writer.columns(columns, status);
    if (columns.size() > 1) {
      table.forEach(row -> writer.row(encoded(row)));
    } else {
      writer.row(encoded(List.of(text())));
    }
    writer.end(warnings, status);
  }

  private byte[] encoded(List<? extends @Nullable String> row) {
    List<byte @Nullable []> cells = new ArrayList<>();
    for (@Nullable String cell : row) {
      cells.add(cell == null ? null : cell.getBytes(charset));
    }
    return ResultTable.encode(cells);
  }

  private String text() {
    if (!firstText.startsWith("{")) {
      return tree.toString();
    }
    return several ? "{\n  \"cluster\": " + json + "," + firstText.substring(1) : firstText;
  }
}
