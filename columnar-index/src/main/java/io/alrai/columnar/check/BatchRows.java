package io.alrai.columnar.check;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.TableScan;
import io.alrai.common.changelog.RowImage;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Turns batches back into rows. */
public final class BatchRows {
  private BatchRows() {}

  /** Gives each visible row of a scan. */
  public static void forEach(TableScan scan, Consumer<RowImage> consumer) {
    Cursor cursor = scan.cursor();
    for (Optional<ColumnBatch> next = cursor.next(); next.isPresent(); next = cursor.next()) {
      ColumnBatch batch = next.get();
      int[] selection = batch.selection().orElse(null);
      for (int i = 0; i < batch.visibleRows(); i++) {
        consumer.accept(image(batch.columns(), selection == null ? i : selection[i]));
      }
    }
  }

  /** One row as it came from the log. */
  public static RowImage image(List<ColumnVector> vectors, int at) {
    RowImage row = new RowImage(vectors.size());
    for (int i = 0; i < vectors.size(); i++) {
      ColumnVector vector = vectors.get(i);
      if (!vector.isNull(at)) {
        copy(vector, at, row, i);
      }
    }
    return row;
  }

  private static void copy(ColumnVector vector, int at, RowImage row, int i) {
    if (vector.kind().isVariable()) {
      row.put(i, vector.bytesAt(at));
      return;
    }
    Storage storage = vector.storage();
    switch (storage) {
      case INT128 ->
          row.put(i, vector.values().asSlice(16L * at, 16).toArray(ValueLayout.JAVA_BYTE));
      case FLOAT32 -> row.put(i, vector.values().getAtIndex(ValueLayout.JAVA_INT, at));
      case FLOAT64 -> row.put(i, vector.values().getAtIndex(ValueLayout.JAVA_LONG, at));
      case INT8, INT16, INT32, INT64 -> row.put(i, vector.longAt(at));
      case BYTES -> throw new IllegalStateException("bytes of a fixed kind");
    }
  }
}
