package io.alrai.executor.task;

/** Joins that pause and go on again and again within the partners of each row. */
final class PausedJoinsSim extends JoinsSim {
  @Override
  Bench newBench() {
    return Bench.ofShortestSlices();
  }
}
