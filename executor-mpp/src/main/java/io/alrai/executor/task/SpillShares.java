package io.alrai.executor.task;

/**
 * How a query that spills shares its memory out. What is not named here is for what a stage needs
 * beside it: pieces on their way from a disk, lists that are sorted.
 *
 * <pre>
 *   1/4   what the workers of a stage gather          or 3/8  groups that are merged
 *   1/8   their rows on the way to a disk
 *   1/4   tables of joins
 *   1/8   with these: the slices of joins that have no room
 *   1/16  rows of stages that have ended
 *   1/32  dictionaries
 * </pre>
 *
 * @param most bytes that the query may have
 * @param lanes tasks that are worth while
 */
record SpillShares(long most, int lanes) {
  private static final long WORKER_BYTES = 8L << 20;
  private static final long LEAST_PIECE = 4L << 10;
  private static final long MOST_PIECE = 128L << 10;
  private static final long MOST_GATHERED = 16L << 20;
  private static final long MOST_RUN = 8L << 20;
  private static final int PARTS = 64;

  /** Workers of a stage: each needs some memory. */
  int workers() {
    return Math.clamp(most / WORKER_BYTES, 1, lanes);
  }

  /** What one worker may gather: no more than it can put on disk within a slice of time. */
  long gathered(int workers) {
    return Math.min(MOST_GATHERED, most / 4 / workers);
  }

  /** Rows that are put in order in memory: they are sorted within a slice of time. */
  long run(int workers) {
    return Math.min(MOST_RUN, gathered(workers));
  }

  /** Groups that one worker merges at a time. */
  long merged(int workers) {
    return most * 3 / 8 / workers;
  }

  /** Rows that are written at once. */
  long piece(int workers) {
    return Math.clamp(most / 8 / workers / PARTS, LEAST_PIECE, MOST_PIECE);
  }

  /** All tables of joins that stay. */
  long tables() {
    return most / 4;
  }

  /** These, and slices. */
  long tablesAndSlices() {
    return most * 3 / 8;
  }

  /** Rows of stages that have ended. */
  long kept() {
    return most / 16;
  }

  /** What one worker keeps of dictionaries that it has left behind. */
  long dictionaries(int workers) {
    return most / 32 / workers;
  }

  /** How many runs are merged at once. */
  int runs(int workers) {
    return Math.clamp(most / 4 / piece(workers), 2, 1 << 14);
  }
}
