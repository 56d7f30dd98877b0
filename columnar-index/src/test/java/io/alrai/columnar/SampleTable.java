package io.alrai.columnar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.columnar.check.BatchRows;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.common.changelog.RowImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** A table with a column of most kinds, for tests. */
public final class SampleTable {
  private static final ColumnKind TEXT = new ColumnKind.Text("utf8mb4_0900_ai_ci");

  /** Key (id, part); then one nullable column of most kinds. */
  public static final TableShape SHAPE =
      new TableShape(
          List.of(
              new ColumnShape("id", new ColumnKind.Int(false), false),
              new ColumnShape("part", TEXT, false),
              new ColumnShape("amount", new ColumnKind.Decimal(12, 2), true),
              new ColumnShape("wide", new ColumnKind.Decimal(30, 4), true),
              new ColumnShape("ratio", new ColumnKind.Floating(false), true),
              new ColumnShape("day", new ColumnKind.Date(), true),
              new ColumnShape("state", TEXT, true),
              new ColumnShape("note", new ColumnKind.Bytes(), true)),
          List.of(0, 1));

  private SampleTable() {}

  /** A row of that key with random other values. */
  public static RowImage row(Random random, long id, String part) {
    RowImage row = new RowImage(SHAPE.columns().size()).put(0, id).put(1, part.getBytes(UTF_8));
    if (random.nextInt(10) > 0) {
      row.put(2, random.nextInt(1_000) - 500);
    }
    if (random.nextBoolean()) {
      byte[] wide = new byte[16];
      random.nextBytes(wide);
      row.put(3, wide);
    }
    if (random.nextBoolean()) {
      row.put(4, Double.doubleToRawLongBits(random.nextGaussian()));
    }
    if (random.nextInt(5) > 0) {
      row.put(5, 10_000 + random.nextInt(400));
    }
    if (random.nextInt(5) > 0) {
      row.put(6, ("state " + random.nextInt(5)).getBytes(UTF_8));
    }
    if (random.nextInt(3) > 0) {
      byte[] note = new byte[random.nextInt(40)];
      random.nextBytes(note);
      row.put(7, note);
    }
    return row;
  }

  /** The key as text. */
  public static String key(RowImage row) {
    return row.number(0) + "/" + new String(row.bytes(1), UTF_8);
  }

  /** All columns. */
  public static List<Integer> all() {
    List<Integer> ordinals = new ArrayList<>();
    for (int i = 0; i < SHAPE.columns().size(); i++) {
      ordinals.add(i);
    }
    return ordinals;
  }

  /** What a scan of all columns shows, by key; a key that comes twice is an AssertionError. */
  public static TreeMap<String, RowImage> contents(TableScan scan) {
    TreeMap<String, RowImage> rows = new TreeMap<>();
    BatchRows.forEach(
        scan,
        row -> {
          if (rows.put(key(row), row) != null) {
            throw new AssertionError(key(row) + " comes twice");
          }
        });
    return rows;
  }
}
