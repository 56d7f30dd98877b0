package io.alrai.dn.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.ship.DnLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LearnerMembershipTest {
  @TempDir Path directory;
  private String name = "r";
  private LearnerMark mark;
  private LearnerMembership membership;
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  /** The mysqld answers. */
  private final CountDownLatch up = new CountDownLatch(1);

  private volatile boolean breaks;

  /** Its start ends with the mysqld's, or with its close. */
  private final class Fake implements Learner {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void start(Consumer<Throwable> failed) {
      done.add("start");
      if (breaks) {
        throw new IllegalStateException("its mysqld does not start");
      }
      try {
        while (up.getCount() > 0) {
          if (ended.await(1, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("closed while it starts");
          }
        }
        done.add("up");
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public MemberStatus status() {
      return MemberStatus.alone("r");
    }

    @Override
    public boolean serves() {
      return false;
    }

    @Override
    public ServedViews reads(Supplier<Optional<DnLog>> leader) {
      throw new AssertionError();
    }

    @Override
    public void rebuild(boolean wanted) {
      done.add("rebuild " + wanted);
    }

    @Override
    public void close() {
      ended.countDown();
      done.add("close");
    }
  }

  @BeforeEach
  void begin() {
    process();
  }

  private void process() {
    mark = new LearnerMark(directory.resolve(name));
    membership = new LearnerMembership("r", mark, this::make, Optional::empty, failures::add);
    membership.start();
  }

  private Learner make() {
    done.add("made");
    return new Fake();
  }

  private String state() {
    return membership.status().join().state();
  }

  private static String refusal(CompletableFuture<?> asked) {
    return assertThrows(CompletionException.class, asked::join).getCause().getMessage();
  }

  private void add() {
    assertTrue(membership.add("r", "", true).join());
  }

  private void drop() {
    assertTrue(membership.drop("r").join());
  }

  @Test
  void itLearnsFromItsAdditionOnAndEndsWithItsDrop() throws Exception {
    assertEquals("JOINING", state());
    add();
    assertEquals("LEADING", state(), "the learner answers itself as soon as it is added");
    add();
    up.countDown();
    Eventually.await("it is up", () -> done.contains("up"));
    drop();
    assertEquals(List.of("made", "start", "up", "close"), done);
    assertEquals("DROPPED", state());
    drop();
    assertTrue(refusal(membership.add("r", "", true)).contains("was dropped"));
    assertTrue(refusal(membership.add("s", "", true)).contains("cannot add s"));
    assertTrue(refusal(membership.drop("s")).contains("cannot drop s"));
    assertTrue(refusal(membership.rebuild()).contains("is no learner"));
    assertEquals(List.of(), failures);
  }

  /** KILL of ADD LEARNER. */
  @Test
  void oneThatIsDroppedWhileItStartsHasEnded() throws Exception {
    add();
    drop();
    up.countDown();
    assertEquals(1, done.stream().filter("close"::equals).count());
    assertFalse(done.contains("up"), done::toString);
    assertEquals("DROPPED", state());
    assertEquals(List.of(), failures, "that it does not start any more is no failure");
  }

  /** Whatever comes first. */
  @Test
  void whoIsAddedAndDroppedAtOnceLearnsNothing() {
    up.countDown();
    for (int i = 0; i < 200; i++) {
      name = "r" + i; // its directory's
      done.clear();
      process();
      CompletableFuture<Boolean> added = membership.add("r", "", true);
      drop();
      added.exceptionally(refused -> false).join();
      assertEquals("DROPPED", state());
      assertTrue(mark.isDropped(), "for good");
      assertEquals(
          done.stream().filter("made"::equals).count(),
          done.stream().filter("close"::equals).count(),
          done::toString);
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void aProcessThatEndsBeginsNothing() {
    membership.close();
    add();
    assertEquals(List.of(), done);
    up.countDown();
    process();
    assertEquals(List.of("made", "start", "up"), done, "the next one does");
  }

  @Test
  void aMysqldThatDoesNotStartEndsTheProcess() throws Exception {
    breaks = true;
    add();
    Eventually.await("that is told", () -> failures.size() == 1);
    assertThrows(IllegalStateException.class, this::process);
    breaks = false;
    up.countDown();
    process();
    assertEquals("up", done.getLast());
  }

  @Test
  void theMarkOutlivesItsProcess() {
    assertFalse(mark.isAdded() || mark.isDropped());
    mark.add();
    assertTrue(new LearnerMark(directory.resolve("r")).isAdded());
    mark.drop();
    assertTrue(new LearnerMark(directory.resolve("r")).isDropped());
    assertFalse(mark.isAdded());
  }
}
