package io.alrai.executor.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.RowLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows on disk: what is in their files, what is left of these, and what they fail with. */
class SpillDirectoryTest {
  private static final int ROW = 24;
  private static final long LIMIT = 100_000;

  @TempDir private Path path;
  private final LongAdder written = new LongAdder();
  private final MemoryRegion region = new MemoryRegion(1 << 22);
  private final MemoryRegion.Reservation reservation = region.reserve(0, 1 << 22).orElseThrow();
  private final QueryMemory memory = new QueryMemory(reservation);

  @AfterEach
  void close() {
    memory.close();
    reservation.close();
    assertEquals(0, region.used());
  }

  private SpillDirectory directory() {
    return new SpillDirectory(path, () -> LIMIT, written);
  }

  private long row(long hash) {
    long row = memory.allocate(ROW);
    Mem.putLong(row + RowLayout.HASH, hash);
    Mem.putLong(row + 16, ~hash);
    return row;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void rowsComeBackAndTheirFilesHaveNoNames() throws IOException {
    SpillDirectory directory = directory();
    try (SpillSpace space = directory.open(() -> {})) {
      RowWriter writer = new RowWriter(space.file(), ROW, 100, memory);
      for (int i = 0; i < 1_000; i++) {
        writer.add(row(i));
      }
      List<Extent> pieces = writer.finish();
      assertEquals(250, pieces.size());
      PieceBuffer buffer = new PieceBuffer(memory);
      for (int i = 0; i < 1_000; i++) {
        long piece = pieces.get(i / 4).load(buffer);
        assertEquals(~(long) i, Mem.longAt(piece + i % 4 * ROW + 16));
      }
      assertEquals(List.of(), names());
      assertEquals(1_000 * ROW, directory.heldBytes());
      assertEquals(1_000 * ROW, space.writtenBytes());
    }
    assertEquals(0, directory.heldBytes());
    assertEquals(1_000 * ROW, written.sum());
  }

  @Test
  void whatAKilledProcessLeftIsRemoved() throws IOException {
    Files.createFile(path.resolve("alrai-spill-123.rows"));
    Files.createFile(path.resolve("alrai-sort-123.run"));
    directory().clean();
    assertEquals(List.of("alrai-sort-123.run"), names());
  }

  @Test
  void aFullDiskIsMysqlsError() {
    SpillDirectory full =
        new SpillDirectory(
            path,
            () -> LIMIT,
            written,
            directory -> FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE));
    try (SpillSpace space = full.open(() -> {})) {
      SpillFile file = space.file();
      AlraiException e = assertThrows(AlraiException.class, () -> file.write(row(1), 1, ROW));
      assertEquals(1021, e.errno());
      assertTrue(e.getMessage().startsWith("Disk full ("), e.getMessage());
    }
    assertEquals(0, full.heldBytes());
  }

  @Test
  void whatElseFailsIsAnErrorOfWriting() {
    SpillDirectory gone = new SpillDirectory(path.resolve("gone"), () -> LIMIT, written);
    try (SpillSpace space = gone.open(() -> {})) {
      SpillFile file = space.file();
      assertEquals(
          1026, assertThrows(AlraiException.class, () -> file.write(row(1), 1, ROW)).errno());
    }
  }

  @Test
  void aQueryHasItsLimitAtATime() {
    try (SpillSpace space = directory().open(() -> {})) {
      long rows = memory.allocate(LIMIT);
      SpillFile first = space.file();
      first.write(rows, (int) (LIMIT / ROW), ROW);
      SpillFile second = space.file();
      AlraiException e = assertThrows(AlraiException.class, () -> second.write(rows, 2, ROW));
      assertEquals(1114, e.errno());
      first.close();
      second.write(rows, 2, ROW);
    }
    assertFalse(new SpillDirectory(path, () -> 0, written).isOpen());
  }

  @Test
  void partsAreCutByTheirHashesUntilTheyCannotBeCut() {
    Random random = new Random(7);
    try (SpillSpace space = directory().open(() -> {})) {
      SpillFile file = space.file();
      PartitionWriter writer = new PartitionWriter(file, ROW, 100, memory);
      for (int i = 0; i < 500; i++) {
        writer.add(row(random.nextLong()), 1);
        writer.add(row(77L << 32), 1);
      }
      List<Partition> parts = PartitionWriter.finish(List.of(writer));
      assertEquals(1_000, parts.stream().mapToLong(Partition::rows).sum());
      assertTrue(parts.size() > 60, parts.size() + " parts");
      Partition one = parts.getFirst();
      for (int level = 2; level <= Partition.LEVELS; level++) {
        assertTrue(one.isDivisible());
        writer.begin(one);
        PieceBuffer buffer = new PieceBuffer(memory);
        for (Extent piece : one.pieces()) {
          writer.add(piece.load(buffer), piece.rows());
        }
        one = largest(PartitionWriter.finish(List.of(writer)));
        assertEquals(level, one.level());
        assertTrue(one.from() <= 77 && one.to() >= 77, one.from() + " to " + one.to());
      }
      assertFalse(one.isDivisible());
      assertEquals(77, one.from());
      assertEquals(77, one.to());
      assertEquals(500, one.rows());
    }
  }

  private static Partition largest(List<Partition> parts) {
    List<Partition> sorted = new ArrayList<>(parts);
    sorted.sort((a, b) -> Long.compare(b.rows(), a.rows()));
    return sorted.getFirst();
  }
}
