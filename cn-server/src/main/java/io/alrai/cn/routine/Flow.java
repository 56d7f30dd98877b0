package io.alrai.cn.routine;

/** Where a body goes on after a step. */
sealed interface Flow {
  /** With the next step. */
  Flow NEXT = new Next();

  /** After the whole body. */
  Flow RETURN = new Return();

  /** With the next step. */
  record Next() implements Flow {}

  /** After the whole body: the function has its value. */
  record Return() implements Flow {}

  /** After the statement of that label. */
  record Leave(String label) implements Flow {}

  /** At the start of the loop of that label. */
  record Iterate(String label) implements Flow {}

  /** After the block whose EXIT handler was called. */
  record Exit(ActiveBlock block) implements Flow {}
}
