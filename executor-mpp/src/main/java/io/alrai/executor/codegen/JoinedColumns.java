package io.alrai.executor.codegen;

/** The columns of a probe row, then those of its partner. */
final class JoinedColumns implements Columns {
  private final Columns probe;
  private final int probeColumns;
  private final Columns build;

  JoinedColumns(Columns probe, int probeColumns, Columns build) {
    this.probe = probe;
    this.probeColumns = probeColumns;
    this.build = build;
  }

  @Override
  public Value value(int column) {
    return column < probeColumns ? probe.value(column) : build.value(column - probeColumns);
  }

  @Override
  public Shape shape(int column) {
    return column < probeColumns ? probe.shape(column) : build.shape(column - probeColumns);
  }

  @Override
  public int dictionaryCode(int column) {
    return column < probeColumns ? probe.dictionaryCode(column) : -1;
  }

  @Override
  public int scanColumn(int column) {
    return column < probeColumns ? probe.scanColumn(column) : -1;
  }

  @Override
  public void enterBranch() {
    probe.enterBranch();
    build.enterBranch();
  }

  @Override
  public void leaveBranch() {
    probe.leaveBranch();
    build.leaveBranch();
  }
}
