package io.alrai.executor.codegen;

/** The columns that an expression sees at one place of a pipeline. */
interface Columns {
  /** Emits code that loads a column into local variables, unless it has been loaded already. */
  Value value(int column);

  /** The shape of an exact number, before its value is computed. */
  Shape shape(int column);

  /**
   * The code of a string of a dictionary whose entries can be judged one by one, or -1.
   *
   * @return the local of the code; for NULL the code is the dictionary's size
   */
  default int dictionaryCode(int column) {
    return -1;
  }

  /** Which column of the scan that is; -1 where {@link #dictionaryCode} is. */
  default int scanColumn(int column) {
    return -1;
  }

  /** Begins a part of the code that does not run for every row. */
  void enterBranch();

  /** Ends that part: the columns that it loaded count as not loaded. */
  void leaveBranch();
}
