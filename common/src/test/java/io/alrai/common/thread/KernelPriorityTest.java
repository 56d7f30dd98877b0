package io.alrai.common.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the kernel says of threads; see proc(5) for the fields of {@code stat}. */
@EnabledOnOs(OS.LINUX)
class KernelPriorityTest {
  private static final int NICE = 19 - 3;
  private static final int POLICY = 41 - 3;

  /** The nice value and the scheduling policy of the calling thread. */
  private static List<String> own() throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return List.of(fields[NICE], fields[POLICY]);
  }

  private static List<String> of(KernelPriority priority) {
    CompletableFuture<List<String>> seen = new CompletableFuture<>();
    priority.start(
        "test",
        () -> {
          try {
            seen.complete(own());
          } catch (Exception e) {
            seen.completeExceptionally(e);
          }
        });
    return seen.join();
  }

  @Test
  void aThreadHasThePriorityAndNoOtherHas() throws Exception {
    List<String> before = own();
    assertEquals(before, of(KernelPriority.NORMAL));
    assertEquals(List.of("10", "0"), of(KernelPriority.LOW));
    assertEquals(before, own());
  }

  @Test
  void theCompilerGivesWay() {
    int threads = KernelPriority.lowerCompiler();
    assertTrue(threads > 0);
    assertEquals(threads, KernelPriority.lowerCompiler());
  }

  @Test
  void aVirtualThreadHasNone() throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            assertThrows(IllegalStateException.class, KernelPriority.LOW::take);
            done.complete(null);
          } catch (AssertionError e) {
            done.completeExceptionally(e);
          }
        })
        .join();
    done.join();
  }
}
