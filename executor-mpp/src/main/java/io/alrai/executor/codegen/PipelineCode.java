package io.alrai.executor.codegen;

import io.alrai.executor.vector.Lane;

/**
 * A generated pipeline for one way in which the columns lie in memory. Has no state; any thread.
 */
public interface PipelineCode {
  /** Longs for each column in {@code columns}: values, validity, ends, bytes. */
  int ADDRESSES = 4;

  /**
   * Takes rows through the pipeline, until the lane's pace has ended between two partners of a row.
   *
   * @param lane the worker's tables, and where it was in a row that is not done yet
   * @param columns addresses of a batch's columns, {@link #ADDRESSES} for each; of rows the address
   *     of the first one only
   * @param selection positions of rows in the batch; not read where the class was generated for all
   * @param begin the first row, or position in the selection
   * @param end after the last
   * @return {@code end}, or the row that is not done yet, to begin with next time
   */
  int run(Lane lane, long[] columns, int[] selection, int begin, int end);

  /**
   * Judges an entry of a dictionary.
   *
   * @param test the number of the condition
   * @param missing 1 for NULL, else 0
   * @return 1 where it holds, else 0
   */
  int judge(int test, long address, long length, int missing);
}
