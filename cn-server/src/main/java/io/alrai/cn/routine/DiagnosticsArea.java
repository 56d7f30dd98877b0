package io.alrai.cn.routine;

import io.alrai.cn.session.LastResult;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.common.error.AlraiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of the last statement, and those that handlers have been called for (MySQL
 * Reference Manual, "The MySQL Diagnostics Area"). What of it SHOW WARNINGS shows is the session's.
 * Of one CALL with all that it calls.
 */
final class DiagnosticsArea {
  private final LastResult last;
  private final Deque<RaisedCondition> handled = new ArrayDeque<>();
  private List<RaisedCondition> current = List.of();
  private boolean fresh;
  private @Nullable AlraiException lastError;
  private @Nullable RaisedCondition lastRaised;

  DiagnosticsArea(LastResult last) {
    this.last = last;
    this.current = RaisedCondition.of(last.diagnostics().conditions());
  }

  List<RaisedCondition> current() {
    return current;
  }

  /** A statement begins. */
  void begin() {
    fresh = false;
  }

  /** What the statement has raised since. */
  List<RaisedCondition> fresh() {
    return fresh ? current : List.of();
  }

  /** A statement has run to its end. */
  void take() {
    current = RaisedCondition.of(last.diagnostics().conditions());
    fresh = true;
  }

  /** A statement has raised these. */
  void put(List<RaisedCondition> conditions) {
    current = List.copyOf(conditions);
    fresh = true;
    last.diagnostics(Diagnostics.of(conditions.stream().map(RaisedCondition::shown).toList()));
  }

  /** One more after those that are there, for which no handler is called. */
  void add(RaisedCondition condition) {
    List<RaisedCondition> all = new ArrayList<>(current);
    all.add(condition);
    again(all);
  }

  /** These were there before, and no handler is called for them. */
  void again(List<RaisedCondition> conditions) {
    put(conditions);
    fresh = false;
  }

  /** The error as it was raised, with all that SIGNAL said. */
  RaisedCondition of(AlraiException error) {
    RaisedCondition raised = lastRaised;
    return error == lastError && raised != null ? raised : RaisedCondition.of(error);
  }

  /** The error that a condition is. */
  AlraiException error(RaisedCondition raised) {
    AlraiException error = raised.error();
    lastError = error;
    lastRaised = raised;
    return error;
  }

  void handling(RaisedCondition raised) {
    handled.push(raised);
  }

  /** A handler has ended: its condition is removed. */
  void handledOne() {
    RaisedCondition was = handled.pop();
    if (current.equals(List.of(was)) || current.contains(was)) {
      put(List.of());
    }
  }

  /** Whether a handler is at work for it. */
  boolean isStacked(RaisedCondition raised) {
    return handled.stream().anyMatch(each -> each == raised);
  }

  /** What the innermost handler at work was called for. */
  Optional<RaisedCondition> stacked() {
    return Optional.ofNullable(handled.peek());
  }
}
