package io.alrai.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFilesTest {
  private long now;
  private final SnapshotFiles files = new SnapshotFiles(() -> now);

  private Path open(Path directory) throws IOException {
    RaftStorage storage =
        RaftStorage.newBuilder()
            .setDirectory(directory.toFile())
            .setOption(RaftStorage.StartupOption.FORMAT)
            .setStorageFreeSpaceMin(SizeInBytes.valueOf(0))
            .build();
    storage.initialize();
    files.open(storage);
    File first = files.storage().getSnapshotFile(1, 1);
    return first.toPath().resolveSibling(".").normalize();
  }

  private static List<String> in(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whereThereIsNoRoomItIsTriedNowAndThen(@TempDir Path directory) throws Exception {
    Path snapshots = open(directory);
    // a directory of its name keeps a snapshot from being put in place
    Files.createDirectories(snapshots.resolve("snapshot.1_7").resolve("full"));
    assertFalse(files.tryWrite(TermIndex.valueOf(1, 7), () -> new byte[] {1}));
    List<String> left = in(snapshots);
    assertFalse(left.contains("snapshot.1_7.partial"), left::toString);

    now += TimeUnit.SECONDS.toNanos(5) - 1;
    assertFalse(
        files.tryWrite(
            TermIndex.valueOf(1, 8),
            () -> {
              throw new AssertionError("it was tried a moment ago");
            }));
    now += 1;
    assertTrue(files.tryWrite(TermIndex.valueOf(1, 8), () -> new byte[] {2}));
    assertTrue(files.tryWrite(TermIndex.valueOf(1, 9), () -> new byte[] {3}));
    assertEquals(9, files.newest().orElseThrow().getIndex());
    assertEquals(3, files.read(files.newest().orElseThrow())[0]);
  }

  @Test
  void whoHasToHaveItIsTold(@TempDir Path directory) throws Exception {
    Path snapshots = open(directory);
    Files.createDirectories(snapshots.resolve("snapshot.1_7").resolve("full"));
    assertThrows(IOException.class, () -> files.write(TermIndex.valueOf(1, 7), new byte[] {1}));
    files.write(TermIndex.valueOf(1, 8), new byte[] {2});
    assertEquals(8, files.newest().orElseThrow().getIndex());
  }
}
