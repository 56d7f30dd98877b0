package io.alrai.columnar.version;

import io.alrai.columnar.scan.ColumnBatch;
import java.util.ArrayList;
import java.util.List;

/** Chooses which parts of a partition are rewritten together. */
final class RewriteChoice {
  private RewriteChoice() {}

  /**
   * Full chunks whose rows are all old, if there are enough of them, together with small row
   * groups; and row groups of which too much is dead.
   *
   * @return empty when it is not worth it
   */
  static List<StoredRows> of(List<StoredRows> parts, long watermark, RewriteRules rules) {
    List<StoredRows> chosen = new ArrayList<>();
    List<StoredRows> small = new ArrayList<>();
    int rows = 0;
    int deltaRows = 0;
    for (StoredRows part : parts) {
      if (rows + part.rows() > rules.mostRows() && rows > 0) {
        break;
      }
      switch (part) {
        case StoredRows.Base base -> {
          int dead = base.deadAt(watermark);
          if (dead > 0 && dead >= rules.deadShare() * base.rows()) {
            chosen.add(base);
            rows += base.rows();
          } else if (base.rows() < ColumnBatch.MOST_ROWS / 4 * 3) {
            small.add(base);
          }
        }
        case StoredRows.Delta delta -> {
          if (delta.chunk().isFull() && delta.chunk().newestInsert() <= watermark) {
            chosen.add(delta);
            rows += delta.rows();
            deltaRows += delta.rows();
          }
        }
      }
    }
    if (deltaRows < rules.leastDeltaRows()) {
      chosen.removeIf(StoredRows.Delta.class::isInstance);
    }
    if (!chosen.isEmpty() && !small.isEmpty() && rows < rules.mostRows()) {
      chosen.add(small.getFirst());
    }
    return chosen;
  }
}
