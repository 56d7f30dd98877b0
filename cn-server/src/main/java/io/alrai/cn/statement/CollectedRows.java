package io.alrai.cn.statement;

import io.alrai.cn.protocol.ClientOutput;
import io.alrai.cn.result.ResultWriter;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.StateChange;
import java.util.ArrayList;
import java.util.List;

/** Keeps the first rows of a query for the CN itself; the client gets nothing. */
public final class CollectedRows extends ResultWriter {
  private final int most;
  private final List<byte[]> rows = new ArrayList<>();
  private List<ColumnDefinition> columns = List.of();

  /** Keeps so many rows at most. */
  public CollectedRows(ClientOutput output, int most) {
    super(output, true, false, 0, () -> StateChange.NONE);
    this.most = most;
  }

  /** What there is of them. */
  public QueryReader.Rows rows() {
    return new QueryReader.Rows(columns, rows);
  }

  @Override
  public boolean wholeFloats() {
    return true;
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    columns = List.copyOf(definitions);
  }

  @Override
  public void row(byte[] textRow) {
    if (rows.size() < most) {
      rows.add(textRow);
    }
  }

  @Override
  public void end(int warnings, int status) {
    // nothing is sent
  }
}
