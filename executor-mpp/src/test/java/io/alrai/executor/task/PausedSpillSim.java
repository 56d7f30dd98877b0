package io.alrai.executor.task;

/** Queries that spill, and pause and go on again and again. */
final class PausedSpillSim extends SpillSim {
  @Override
  Bench newBench() {
    return Bench.ofShortestSlices();
  }

  @Override
  int rows() {
    return 12_000;
  }
}
