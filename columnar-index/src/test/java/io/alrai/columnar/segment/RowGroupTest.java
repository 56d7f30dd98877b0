package io.alrai.columnar.segment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.SampleTable;
import io.alrai.columnar.check.BatchRows;
import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Dictionary;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.Zone;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class RowGroupTest {
  private final MemoryBudget budget = new MemoryBudget(64 << 20);

  private RowGroup column(ColumnKind kind, int rows, IntFunction<RowImage> row) {
    RowGroupBuilder builder =
        new RowGroupBuilder(
            new TableShape(List.of(new ColumnShape("c", kind, true)), List.of(0)), budget);
    for (int i = 0; i < rows; i++) {
      builder.add(row.apply(i));
    }
    return builder.build();
  }

  private static RowImage number(long value) {
    return new RowImage(1).put(0, value);
  }

  private static RowImage text(String value) {
    return new RowImage(1).put(0, value.getBytes(UTF_8));
  }

  @Test
  void numbersAreAsNarrowAsTheirValues() {
    ColumnKind kind = new ColumnKind.Int(false);
    for (long most : new long[] {100, 30_000, 2_000_000_000, Long.MAX_VALUE / 2}) {
      try (RowGroup group = column(kind, 1_000, i -> number(most / 1_000 * i - 5))) {
        ColumnVector vector = group.vectors().getFirst();
        assertEquals(Storage.holding(-5, most / 1_000 * 999 - 5), vector.storage());
        assertTrue(vector.validity().isEmpty());
        for (int i = 0; i < 1_000; i++) {
          assertEquals(most / 1_000 * i - 5, vector.longAt(i));
        }
        assertEquals(new Zone.Longs(-5, most / 1_000 * 999 - 5, false), group.zone(0));
      }
    }
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void nullsAreBitsAndZonesKnowThem() {
    try (RowGroup group =
        column(
            new ColumnKind.Int(false), 100, i -> i % 3 == 0 ? new RowImage(1) : number(200 + i))) {
      ColumnVector vector = group.vectors().getFirst();
      for (int i = 0; i < 100; i++) {
        assertEquals(i % 3 == 0, vector.isNull(i));
      }
      assertEquals(Storage.INT16, vector.storage());
      assertEquals(new Zone.Longs(201, 298, true), group.zone(0));
    }
    try (RowGroup group = column(new ColumnKind.Date(), 3, i -> new RowImage(1))) {
      assertEquals(new Zone.OnlyNulls(), group.zone(0));
    }
  }

  @Test
  void unsignedNumbersBeyondSixtyThreeBitsStayWide() {
    try (RowGroup group = column(new ColumnKind.Int(true), 2, i -> number(i == 0 ? 5 : -1))) {
      assertEquals(Storage.INT64, group.vectors().getFirst().storage());
      assertEquals(new Zone.Unknown(), group.zone(0));
    }
    try (RowGroup group = column(new ColumnKind.Int(true), 2, i -> number(5 + i))) {
      assertEquals(Storage.INT8, group.vectors().getFirst().storage());
    }
  }

  @Test
  void fewStringsAreCodesOfASortedDictionary() {
    List<String> words = List.of("z", "é", "", "aa", "a");
    try (RowGroup group =
        column(new ColumnKind.Text("utf8mb4_bin"), 1_000, i -> text(words.get(i % words.size())))) {
      ColumnVector vector = group.vectors().getFirst();
      Dictionary dictionary = vector.dictionary().orElseThrow();
      assertEquals(Storage.INT8, vector.storage());
      List<String> entries = new ArrayList<>();
      for (int i = 0; i < dictionary.size(); i++) {
        entries.add(new String(dictionary.entry(i), UTF_8));
      }
      assertEquals(List.of("", "a", "aa", "z", "é"), entries);
      for (int i = 0; i < 1_000; i++) {
        assertEquals(words.get(i % words.size()), new String(vector.bytesAt(i), UTF_8));
      }
      assertEquals(new Zone.Strings(dictionary, false), group.zone(0));
    }
  }

  @Test
  void manyStringsOfTwoBytesCodes() {
    try (RowGroup group =
        column(new ColumnKind.Bytes(), 60_000, i -> text("Clerk#00000" + i % 1_000))) {
      ColumnVector vector = group.vectors().getFirst();
      assertEquals(Storage.INT16, vector.storage());
      assertEquals("Clerk#00000777", new String(vector.bytesAt(59_777), UTF_8));
    }
  }

  @Test
  void differentStringsAreStoredOneAfterTheOther() {
    try (RowGroup group =
        column(
            new ColumnKind.Json(),
            10_000,
            i -> i % 7 == 0 ? new RowImage(1) : text("a comment number " + i))) {
      ColumnVector vector = group.vectors().getFirst();
      assertEquals(Storage.BYTES, vector.storage());
      assertTrue(vector.dictionary().isEmpty());
      for (int i = 0; i < 10_000; i++) {
        assertEquals(i % 7 == 0, vector.isNull(i));
        assertEquals(i % 7 == 0 ? "" : "a comment number " + i, new String(vector.bytesAt(i)));
      }
    }
  }

  @Test
  void aFullGroupComesBackAsItWasAndCopied() {
    Random random = new Random(7);
    List<RowImage> rows = new ArrayList<>();
    RowGroupBuilder builder = new RowGroupBuilder(SampleTable.SHAPE, budget);
    while (!builder.isFull()) {
      RowImage row = SampleTable.row(random, random.nextLong(), "p" + rows.size() % 100);
      rows.add(row);
      builder.add(row);
    }
    assertEquals(ColumnBatch.MOST_ROWS, rows.size());
    assertThrows(IllegalStateException.class, () -> builder.add(rows.getFirst()));
    try (RowGroup group = builder.build()) {
      assertEquals(0, builder.rows());
      for (int i = rows.size() - 1; i >= 0; i--) {
        builder.add(group.vectors(), i);
      }
      try (RowGroup copy = builder.build()) {
        for (int i = 0; i < rows.size(); i++) {
          assertEquals(rows.get(i), BatchRows.image(group.vectors(), i));
          assertEquals(rows.get(i), BatchRows.image(copy.vectors(), rows.size() - 1 - i));
        }
      }
    }
  }

  @Test
  void segmentsAreAlignedAndPaddedAndGoneAfterwards() {
    RowGroup group = column(new ColumnKind.Int(false), 10, i -> number(i));
    ColumnVector vector = group.vectors().getFirst();
    assertEquals(0, vector.values().address() % 64);
    assertEquals(64, vector.values().byteSize());
    assertEquals(64, group.bytes());
    assertEquals(64, budget.usedBytes());
    group.close();
    assertThrows(IllegalStateException.class, () -> vector.longAt(0));
  }

  @Test
  void whatDoesNotFitLeavesNothingBehind() {
    RowGroupBuilder builder = new RowGroupBuilder(SampleTable.SHAPE, new MemoryBudget(1_000));
    MemoryBudget large = new MemoryBudget(100_000);
    RowGroupBuilder fitting = new RowGroupBuilder(SampleTable.SHAPE, large);
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      RowImage row = SampleTable.row(random, i, "p");
      builder.add(row);
      fitting.add(row);
    }
    AlraiException e = assertThrows(AlraiException.class, builder::build);
    assertEquals(1041, e.errno());
    assertEquals(500, builder.rows());
    try (RowGroup group = fitting.build()) {
      assertFalse(group.vectors().isEmpty());
      assertEquals(group.bytes(), large.usedBytes());
    }
    assertArrayEquals(new long[] {0}, new long[] {large.usedBytes()});
  }
}
