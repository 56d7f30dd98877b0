package io.alrai.cn.explain;

import io.alrai.cn.protocol.ClientOutput;
import io.alrai.cn.result.ResultWriter;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.StateChange;
import java.util.List;
import java.util.function.LongSupplier;

/** Counts the rows of a SELECT that is measured; the client gets none of them. */
final class StatementRows extends ResultWriter {
  private final LongSupplier nanoTime;
  private final long startNanos;
  private long firstNanos;
  private long count;

  /** The time begins. */
  StatementRows(ClientOutput output, LongSupplier nanoTime) {
    super(output, true, false, 0, () -> StateChange.NONE);
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** What it took; once, at its end. */
  Actual actual() {
    long last = nanoTime.getAsLong() - startNanos;
    long first = count == 0 ? last : firstNanos;
    return new Actual(first / 1e6, last / 1e6, count, 1);
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    // nothing is sent
  }

  @Override
  public void row(byte[] textRow) {
    encodedRow(textRow);
  }

  @Override
  public void encodedRow(byte[] payload) {
    if (count == 0) {
      firstNanos = nanoTime.getAsLong() - startNanos;
    }
    count++;
  }

  @Override
  public void end(int warnings, int status) {
    // nothing is sent
  }
}
