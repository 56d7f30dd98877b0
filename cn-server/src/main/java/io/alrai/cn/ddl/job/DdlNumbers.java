package io.alrai.cn.ddl.job;

import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Numbers of jobs and tables, some ahead for what follows within a second: the GMS writes its log
 * for each reservation. Later ones are reserved anew, so that the numbers of all CNs follow the
 * time, as the GMS forgets ended jobs of low numbers. Those that are left are never used.
 * Thread-safe; blocks where the GMS is asked.
 */
public final class DdlNumbers {
  private static final int AHEAD = 32;
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final GmsService gms;
  private final LongSupplier nanos;
  private final Map<String, Left> left = new HashMap<>();

  private record Left(long next, long last, long reservedNanos) {}

  public DdlNumbers(GmsService gms) {
    this(gms, System::nanoTime);
  }

  public DdlNumbers(GmsService gms, LongSupplier nanos) {
    this.gms = gms;
    this.nanos = nanos;
  }

  /** The next one, which nobody else has had. */
  public synchronized long next(String sequence) {
    long now = nanos.getAsLong();
    Left known = left.get(sequence);
    if (known == null || known.next > known.last || now - known.reservedNanos > KEPT_NANOS) {
      SequenceRange reserved = gms.reserve(sequence, AHEAD);
      known = new Left(reserved.first(), reserved.last(), now);
    }
    left.put(sequence, new Left(known.next + 1, known.last, known.reservedNanos));
    return known.next;
  }
}
