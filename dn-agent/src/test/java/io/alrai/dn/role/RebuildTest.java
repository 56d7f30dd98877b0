package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.group.MysqldClone;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import io.alrai.dn.mysqld.MysqldException;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RebuildTest {
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final Semaphore ended = new Semaphore(0);
  private volatile Runnable whileItClones = () -> {};
  private volatile boolean goesOn;

  /** A directory that takes notes. */
  private final class Place implements Rebuild.Place {
    @Override
    public void fetch(Consumer<Channel> donor, DonorLogin login, MysqldClone.Watch watch) {
      done.add("fetch");
      whileItClones.run();
      goesOn = watch.goesOn();
    }

    @Override
    public void keep() {
      done.add("keep");
    }

    @Override
    public void discard() {
      done.add("discard");
    }

    @Override
    public void startAnew() {
      done.add("start");
    }
  }

  /** Two others: b leads, c follows. */
  private static final class Members implements Donors {
    @Override
    public List<String> names() {
      return List.of("a", "b", "c");
    }

    @Override
    public CompletableFuture<MemberStatus> ask(String member) {
      boolean leads = member.equals("b");
      return CompletableFuture.completedFuture(
          new MemberStatus(
              member,
              (leads ? Role.LEADING : Role.FOLLOWING).name(),
              leads,
              1,
              7,
              0,
              0,
              "",
              "host:1",
              List.of(),
              MemberStatus.Cloning.NONE));
    }

    @Override
    public CompletableFuture<DonorLogin> offer(String member) {
      return CompletableFuture.completedFuture(new DonorLogin("alrai", member));
    }

    @Override
    public void relay(String member, Channel recipient, Runnable lost) {}
  }

  @AutoClose
  private final Rebuild rebuild =
      new Rebuild(
          "a", new Place(), System::nanoTime, () -> Optional.of(new Members()), ended::release);

  private void attempt() throws InterruptedException {
    rebuild.step("asked to", 1);
    assertTrue(ended.tryAcquire(60, TimeUnit.SECONDS));
  }

  @Test
  void whatWasClonedIsKeptAndStarted() throws Exception {
    rebuild.ask(Role.FOLLOWING);
    attempt();
    assertTrue(goesOn);
    assertEquals(List.of("fetch", "keep", "discard", "start"), done);
    assertFalse(rebuild.asked());
    rebuild.lives(1);
    rebuild.step("it lacks rows", 1);
    assertFalse(ended.tryAcquire(50, TimeUnit.MILLISECONDS));
    assertEquals(4, done.size(), "nothing is cloned before the mysqld has started anew");
    rebuild.lives(2);
    rebuild.step("it lacks rows", 2);
    assertTrue(ended.tryAcquire(60, TimeUnit.SECONDS));
    assertEquals(8, done.size());
  }

  /** It leads by then, and has rows that the clone may lack. */
  @Test
  void whatIsGivenUpLateIsNotKept() throws Exception {
    rebuild.ask(Role.FOLLOWING);
    whileItClones = rebuild::forget;
    attempt();
    assertFalse(goesOn);
    assertEquals(List.of("fetch", "discard"), done);
    assertFalse(rebuild.asked());
  }

  @Test
  void whoAskedMayGiveItUpAndAskAgain() throws Exception {
    rebuild.want(true, Role.FOLLOWING);
    assertEquals(new Cloning(true, 0, "", 0, 0), rebuild.cloning());
    whileItClones = () -> rebuild.want(false, Role.FOLLOWING);
    attempt();
    assertEquals(List.of("fetch", "discard"), done);
    assertEquals(Cloning.NONE, rebuild.cloning());
    rebuild.want(true, Role.FOLLOWING);
    whileItClones = () -> assertEquals("b", rebuild.cloning().donor(), "the next one");
    attempt();
    assertEquals(new Cloning(false, 1, "", 0, 0), rebuild.cloning());
  }

  @Test
  void whatIsClosedMeanwhileIsNotKept() throws Exception {
    whileItClones = rebuild::close;
    attempt();
    assertEquals(List.of("fetch", "discard"), done);
  }

  /** It takes no other donor for minutes: it is killed, as its rows are of no use. */
  @Test
  void aMysqldThatLooksForItsDonorStartsAnew() throws Exception {
    whileItClones = RebuildTest::loseDonor;
    attempt();
    assertEquals(List.of("fetch", "discard", "start"), done);
  }

  @Test
  void oneThatIsOfUseMeanwhileGoesOn() throws Exception {
    whileItClones =
        () -> {
          rebuild.forget();
          loseDonor();
        };
    attempt();
    assertEquals(List.of("fetch", "discard"), done);
  }

  /** Whoever has ended its clone may want another one soon. */
  @Test
  void aMysqldWhoseCloneIsGivenUpStartsAnew() throws Exception {
    rebuild.want(true, Role.FOLLOWING);
    whileItClones =
        () -> {
          rebuild.want(false, Role.REBUILDING);
          rebuild.forget();
          loseDonor();
        };
    attempt();
    assertEquals(List.of("fetch", "discard", "start"), done);
  }

  private static void loseDonor() {
    throw new MysqldException(MysqldException.Reason.INTERRUPTED, "the clone was ended");
  }

  @Test
  void oneThatLeadsIsNotRebuilt() {
    assertThrows(AlraiException.class, () -> rebuild.ask(Role.LEADING));
    assertFalse(rebuild.asked());
  }
}
