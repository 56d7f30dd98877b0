package io.alrai.dn.gate;

import io.alrai.dn.binlog.BinlogPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files of a mysqld's log. An entry's number is how many are in the log with it; tables have
 * other numbers in each of the mysqld's lives.
 */
final class ModelFiles {
  private static final int FIRST_TABLE = 100;

  /** Of each file, how many entries are before it. */
  private final List<Integer> begins = new ArrayList<>(List.of(0));

  /** Of each entry, the numbers of the tables (the keys) that it writes. */
  private final List<Map<Integer, Integer>> tables = new ArrayList<>();

  private final Map<Integer, Integer> numbers = new HashMap<>();
  private int deleted;

  /** Where an entry ends. */
  BinlogPosition position(int number) {
    return new BinlogPosition("binlog.%06d".formatted(fileOf(number) + 1), 100L + number * 10L);
  }

  static int number(BinlogPosition position) {
    return (int) ((position.offset() - 100) / 10);
  }

  /** The index of the file that has an entry. */
  int fileOf(int number) {
    int file = begins.size() - 1;
    while (file > 0 && begins.get(file) >= number) {
      file--;
    }
    return file;
  }

  /** An entry was written. */
  void logged(Set<Integer> keys) {
    Map<Integer, Integer> named = new HashMap<>();
    for (int key : keys) {
      named.put(key, numbers.computeIfAbsent(key, k -> FIRST_TABLE + numbers.size()));
    }
    tables.add(named);
  }

  /** The number that an entry has for a table. */
  int numberOf(int entry, int key) {
    return tables.get(entry - 1).get(key);
  }

  void rotate() {
    if (begins.getLast() < tables.size()) {
      begins.add(tables.size());
    }
  }

  /** How many entries are before the last file. */
  int beforeLastFile() {
    return begins.getLast();
  }

  /** The mysqld starts anew with so many entries. */
  void cut(int entries) {
    while (tables.size() > entries) {
      tables.removeLast();
    }
    begins.removeIf(before -> before > entries);
    numbers.clear();
    rotate();
  }

  /** Deletes files whose entries are all among so many. */
  void delete(int entries) {
    for (int before : begins) {
      if (before <= entries) {
        deleted = Math.max(deleted, before);
      }
    }
  }

  /** How many entries are in files that are deleted. */
  int deleted() {
    return deleted;
  }
}
