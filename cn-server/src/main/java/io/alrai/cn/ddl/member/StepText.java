package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.JobStep;
import java.util.function.Supplier;

/**
 * Says now and then how far a step is: each time members are asked, and each new text is a write of
 * the GMS. The job's thread.
 */
final class StepText {
  private final JobStep step;
  private final int every;
  private final Supplier<String> text;
  private int looks;

  /**
   * The text of one step.
   *
   * @param every how many looks it stays, some seconds
   */
  StepText(JobStep step, int every, Supplier<String> text) {
    this.step = step;
    this.every = every;
    this.text = text;
  }

  void look() {
    if (++looks % every == 0) {
      step.says(text.get());
    }
  }
}
