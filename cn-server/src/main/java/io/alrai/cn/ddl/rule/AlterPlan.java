package io.alrai.cn.ddl.rule;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.DdlStatement.AlterAction;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The actions of an ALTER TABLE in the order in which partitions run them: first all that can be
 * undone, then, when these have succeeded everywhere, DROP COLUMN, which cannot.
 */
public final class AlterPlan {
  private final List<AlterAction> undoable = new ArrayList<>();
  private final List<AlterAction> drops = new ArrayList<>();
  private final List<AlterAction> manners = new ArrayList<>();

  public AlterPlan(List<AlterAction> actions) {
    for (AlterAction action : actions) {
      switch (action.kind()) {
        case DROP_COLUMN -> drops.add(action);
        case MANNER -> manners.add(action);
        case CHANGE_COLUMN, RENAME_COLUMN, CONVERT, AUTO_INCREMENT, PARTITIONS, OTHER ->
            undoable.add(action);
      }
    }
    for (AlterAction drop : drops) {
      boolean named =
          undoable.stream()
              .flatMap(action -> action.words().stream())
              .anyMatch(drop.column()::equalsIgnoreCase);
      if (named) {
        throw AlraiException.unsupported(
            "'DROP COLUMN "
                + drop.column()
                + "' together with another action that names the column: use two statements");
      }
    }
  }

  /** All that can be undone, as one ALTER TABLE without the table's name; empty for nothing. */
  public String undoable() {
    return undoable.isEmpty() && !drops.isEmpty() ? "" : text(undoable);
  }

  /** The columns that go, as one ALTER TABLE without the table's name; empty for nothing. */
  public String drops() {
    return drops.isEmpty() ? "" : text(drops);
  }

  /** All at once, as the shadow runs it. */
  public String whole() {
    List<AlterAction> all = new ArrayList<>(undoable);
    all.addAll(drops);
    return text(all);
  }

  private String text(List<AlterAction> actions) {
    List<AlterAction> all = new ArrayList<>(actions);
    all.addAll(manners);
    return all.stream().map(AlterAction::text).collect(Collectors.joining(", "));
  }

  List<String> droppedColumns() {
    return drops.stream().map(AlterAction::column).toList();
  }

  /** Old names to new ones, of columns that have got one. */
  public Map<String, String> renamedColumns() {
    Map<String, String> renamed = new HashMap<>();
    for (AlterAction action : undoable) {
      boolean names =
          action.kind() == AlterKind.CHANGE_COLUMN || action.kind() == AlterKind.RENAME_COLUMN;
      if (names && !action.column().equals(action.newName())) {
        renamed.put(action.column(), action.newName());
      }
    }
    return renamed;
  }

  public boolean setsAutoIncrement() {
    return undoable.stream().anyMatch(action -> action.kind() == AlterKind.AUTO_INCREMENT);
  }

  /** Whether it changes the partitions that a mysqld has made itself. */
  public boolean changesPartitions() {
    return undoable.stream().anyMatch(action -> action.kind() == AlterKind.PARTITIONS);
  }

  /**
   * Whether the table goes on under another id: with another sequence, or with rows less of which
   * the log tells nothing.
   */
  public boolean renews() {
    return setsAutoIncrement() || changesPartitions();
  }

  /** The actions that convert values, to be tried on a copy; empty for nothing. */
  public String conversions() {
    return undoable.stream()
        .filter(action ->
            action.kind() == AlterKind.CHANGE_COLUMN || action.kind() == AlterKind.CONVERT)
        .map(AlterAction::text)
        .collect(Collectors.joining(", "));
  }
}
