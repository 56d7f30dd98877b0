package io.alrai.columnar.version;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The parts of a partition at one moment. Held by the partition while it is the current one, and by
 * each scan that began then; when nobody holds it any more it lets its parts go.
 */
final class Version {
  private final List<StoredRows> parts;
  private final AtomicInteger holders = new AtomicInteger(1);

  Version(List<StoredRows> parts) {
    this.parts = List.copyOf(parts);
    parts.forEach(StoredRows::hold);
  }

  List<StoredRows> parts() {
    return parts;
  }

  /** Only for a version that somebody holds for sure. */
  void hold() {
    holders.incrementAndGet();
  }

  void letGo() {
    if (holders.decrementAndGet() == 0) {
      parts.forEach(StoredRows::letGo);
    }
  }
}
