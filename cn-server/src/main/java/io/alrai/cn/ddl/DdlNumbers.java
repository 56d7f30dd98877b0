package io.alrai.cn.ddl;

import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers of jobs and tables, some ahead: the GMS writes its log for each reservation. Those that
 * are left when the CN ends are never used. Thread-safe; blocks where the GMS is asked.
 */
final class DdlNumbers {
  private static final int AHEAD = 32;

  private final GmsService gms;
  private final Map<String, Left> left = new HashMap<>();

  private record Left(long next, long last) {}

  DdlNumbers(GmsService gms) {
    this.gms = gms;
  }

  /** The next one, which nobody else has had. */
  synchronized long next(String sequence) {
    Left known = left.get(sequence);
    if (known == null || known.next > known.last) {
      SequenceRange reserved = gms.reserve(sequence, AHEAD);
      known = new Left(reserved.first(), reserved.last());
    }
    left.put(sequence, new Left(known.next + 1, known.last));
    return known.next;
  }
}
