package io.alrai.dn.gate;

import io.alrai.dn.gate.ModelMysqld.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who keeps a copy of a DN's rows by its log, as a column index does: from the agent's memory, and
 * where that has not all of it, by reading the files.
 */
final class ModelFollower {
  private final World world;
  private final ModelAgent agent;
  private final LogRules rules;
  private final Map<Integer, List<Long>> rows = new HashMap<>();
  private int consumed;
  private int letThrough;
  private int life;
  private boolean far;

  ModelFollower(World world, ModelAgent agent, LogRules rules) {
    this.world = world;
    this.agent = agent;
    this.rules = rules;
  }

  /** How many entries it has. */
  int consumed() {
    return consumed;
  }

  /** The agent lets entries through up to there. */
  void letThrough(int upTo) {
    letThrough = Math.max(letThrough, upTo);
    int then = life;
    if (!far) {
      world.after(
          world.between(20, 2_000),
          () -> {
            if (life == then && !far) {
              near(upTo);
            }
          });
    }
  }

  /** The agent has died. */
  void lifeEnded() {
    life++;
    far = true;
  }

  /** Another one lives, with so many entries let through. */
  void lifeBegins(int upTo) {
    letThrough = Math.max(consumed, upTo);
    int then = life;
    world.after(
        world.between(100, 20_000),
        () -> {
          if (life == then) {
            far();
          }
        });
  }

  private void near(int upTo) {
    while (consumed < upTo) {
      Entry entry = agent.mysqld.binlog().get(consumed++);
      entry.writes.forEach(this::add);
    }
  }

  private void add(int key, List<Long> values) {
    rows.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values);
  }

  /** What names a table that is not followed changes nothing. */
  private void far() {
    ModelFiles files = agent.mysqld.files;
    Map<Integer, Integer> tables = new HashMap<>();
    int file = -1;
    while (consumed < letThrough) {
      Entry entry = agent.mysqld.binlog().get(consumed++);
      int in = files.fileOf(consumed);
      if (in != file && rules.numbersTablesAnew()) {
        tables.clear();
      }
      file = in;
      int number = consumed;
      entry.writes.forEach((key, values) -> {
        int known = tables.computeIfAbsent(files.numberOf(number, key), n -> key);
        if (known == key) {
          add(key, values);
        }
      });
    }
    far = false;
  }

  /** The rows that it has when nothing more comes. */
  Map<Integer, List<Long>> finish() {
    if (far) {
      far();
    } else {
      near(letThrough);
    }
    return rows;
  }
}
