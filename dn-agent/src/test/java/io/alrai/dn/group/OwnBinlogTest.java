package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.dn.mysqld.MysqldException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnBinlogTest {
  private static final List<String> OTHERS =
      List.of(
          "#ib_16384_0.dblwr",
          "auto.cnf",
          "binlog",
          "binlog.000001.bak",
          "binlog_index",
          "ibdata1",
          "mybinlog.000001",
          "relay.000001",
          "relay.index",
          "undo_001");

  @TempDir Path data;

  private void make(List<String> names) throws IOException {
    for (String name : names) {
      Files.writeString(data.resolve(name), name);
    }
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(data)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theLogIsGoneAndNothingElse() throws IOException {
    make(OTHERS);
    make(
        List.of(
            "binlog.000001",
            "binlog.1000000",
            "binlog.index",
            "binlog.index_crash_safe",
            "binlog.index.next",
            "binlog.~rec~"));
    OwnBinlog.delete(data);
    assertEquals(OTHERS, names());
    OwnBinlog.delete(data);
    assertEquals(OTHERS, names());
  }

  /** Killed after the index: the files are found without it. */
  @Test
  void theRestOfADeletionIsDeleted() throws IOException {
    make(List.of("binlog.000002", "binlog.000003"));
    OwnBinlog.delete(data);
    assertEquals(List.of(), names());
  }

  @Test
  void noDirectoryIsAnError() {
    assertThrows(MysqldException.class, () -> OwnBinlog.delete(data.resolve("none")));
  }
}
