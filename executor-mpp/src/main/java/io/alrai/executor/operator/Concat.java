package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/** The rows of all sources, one source after the other. */
final class Concat implements RowSource {
  private final List<RowSource> sources;
  private int current;

  Concat(List<RowSource> sources) {
    this.sources = List.copyOf(sources);
  }

  @Override
  public List<ColumnDefinition> columns() {
    return sources.getFirst().columns();
  }

  @Override
  public boolean advance() {
    while (current < sources.size()) {
      if (sources.get(current).advance()) {
        return true;
      }
      current++;
    }
    return false;
  }

  @Override
  public Row row() {
    return sources.get(current).row();
  }

  @Override
  public void close() {
    sources.forEach(RowSource::close);
  }
}
