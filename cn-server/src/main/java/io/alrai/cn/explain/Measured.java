package io.alrai.cn.explain;

import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.trace.TraceStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was asked for while a statement ran, step by step. A command belongs to the step whose text
 * it has; what has none of them (snapshots, waits, settings) belongs to the statement. One thread.
 */
final class Measured {
  /** As much of a step's text tells it from others; records keep no more than about a thousand. */
  private static final int COMPARED = 300;

  private final Actual whole;
  private final LogicalNames names;
  private final boolean texts;
  private final Map<Step, List<TraceStep>> byStep = new IdentityHashMap<>();
  private final List<TraceStep> others = new ArrayList<>();

  /**
   * Those of a statement.
   *
   * @param whole what its client would have waited for
   * @param root its last step
   * @param texts whether the client may see what is sent to DNs
   */
  Measured(Actual whole, List<TraceStep> commands, Step root, LogicalNames names, boolean texts) {
    this.whole = whole;
    this.names = names;
    this.texts = texts;
    List<Step> steps = new ArrayList<>();
    collect(root, steps);
    for (TraceStep command : commands) {
      String text = StatementSteps.logical(names, command.text());
      steps.stream()
          .filter(step -> step.asks(command.place(), text, COMPARED))
          .min(Comparator.comparingLong(step -> count(step, command.place())))
          .ifPresentOrElse(
              step -> byStep.computeIfAbsent(step, any -> new ArrayList<>()).add(command),
              () -> others.add(command));
    }
  }

  private static void collect(Step step, List<Step> into) {
    into.add(step);
    step.before().forEach(each -> collect(each, into));
  }

  private long count(Step step, String place) {
    return byStep.getOrDefault(step, List.of()).stream()
        .filter(command -> command.place().equals(place))
        .count();
  }

  /** What the whole statement took. */
  Actual whole() {
    return whole;
  }

  /** What each DN was asked in a step. */
  Map<String, Actual> of(Step step) {
    Map<String, List<TraceStep>> places = new LinkedHashMap<>();
    byStep
        .getOrDefault(step, List.of())
        .forEach(each -> places.computeIfAbsent(each.place(), any -> new ArrayList<>()).add(each));
    return actuals(places);
  }

  /** What DNs were asked beside the steps: what, and what it took. */
  Map<String, Actual> beside() {
    return beside(others, names, texts);
  }

  /**
   * What DNs were asked, each text once.
   *
   * @param texts whether they are shown
   */
  static Map<String, Actual> beside(List<TraceStep> commands, LogicalNames names, boolean texts) {
    Map<String, List<TraceStep>> asked = new LinkedHashMap<>();
    for (TraceStep command : commands) {
      String what =
          texts
              ? command.place() + ": " + StatementSteps.logical(names, command.text())
              : command.place() + ", beside the steps";
      asked.computeIfAbsent(what, any -> new ArrayList<>()).add(command);
    }
    return actuals(asked);
  }

  private static Map<String, Actual> actuals(Map<String, List<TraceStep>> commands) {
    Map<String, Actual> actuals = new LinkedHashMap<>();
    commands.forEach((name, all) -> actuals.put(name, Actual.of(all)));
    return actuals;
  }
}
