package io.alrai.common.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What is read out of the kernel's text. */
class ProcessorTimesTest {
  @Test
  void waitingForADiskIsIdleAndStolenTimeIsNot() {
    String text =
        """
        cpu  10 20 30 400 5 6 7 8 3 2
        cpu0 5 10 15 200 5 3 3 4 2 1
        cpu1 5 10 15 200 0 3 4 4 1 1
        intr 38 0 0
        cpus 1 2 3 4 5 6 7 8
        """;
    assertEquals(Optional.of(new ProcessorTimes(2, 405, 486)), ProcessorTimes.of(text));
  }

  @Test
  void anotherTextTellsNothing() {
    assertEquals(Optional.empty(), ProcessorTimes.of(""));
    assertEquals(Optional.empty(), ProcessorTimes.of("intr 38 0 0\ncpu  1 2 3 4 5 6 7 8\n"));
    assertEquals(Optional.empty(), ProcessorTimes.of("cpu  1 2 3 4\ncpu0 1 2 3 4\n"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theKernelTellsThem() {
    ProcessorTimes now = ProcessorTimes.now().orElseThrow();
    assertTrue(now.processors() >= Runtime.getRuntime().availableProcessors(), now.toString());
    assertTrue(now.idle() <= now.all(), now.toString());
  }
}
