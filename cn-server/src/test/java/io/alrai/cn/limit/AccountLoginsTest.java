package io.alrai.cn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.limit.AccountLogins.Others;
import io.alrai.cn.protocol.LoginLimits.Place;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.AccountLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Logins at several CNs, whose questions and answers come in any order. */
class AccountLoginsTest {
  private static final String ACCOUNT = "_%'\"` é漢.x@%";

  private final List<Runnable> events = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final List<Cn> cns = new ArrayList<>();
  private Random dice = new Random(1);
  private long global;
  private boolean breaks;

  /** One CN, and its sessions of the account. */
  private final class Cn {
    private final String name;
    private final AccountUse use;
    private final AccountLogins logins;
    private final List<Place> granted = new ArrayList<>();
    private int sessions;
    private int refused;

    Cn(String name, AccountLimits limits) {
      this.name = name;
      this.use = new AccountUse(ACCOUNT, limits, () -> 1_000);
      this.logins = new AccountLogins(name, use, () -> global, () -> sessions, this::ask);
      cns.add(this);
    }

    void login() {
      logins
          .enter()
          .whenComplete((place, error) -> {
            if (place == null) {
              refused++;
            } else {
              granted.add(place);
            }
          });
    }

    /** Each other CN is asked at some moment, and its answer comes at a later one. */
    private void ask(
        long claimed, boolean pauses, Consumer<Others> next, Consumer<RuntimeException> failed) {
      (pauses ? later : events)
          .add(() -> {
            if (breaks) {
              failed.accept(new IllegalStateException("no way"));
            } else {
              ask(claimed, next);
            }
          });
    }

    private void ask(long claimed, Consumer<Others> next) {
      List<Others> heard = new ArrayList<>();
      int others = cns.size() - 1;
      if (others == 0) {
        next.accept(new Others(0, 0));
      }
      for (Cn other : cns) {
        if (other != this) {
          events.add(() -> {
            Others answer = other.logins.answer(name, claimed);
            events.add(() -> {
              heard.add(answer);
              if (heard.size() == others) {
                next.accept(
                    new Others(
                        heard.stream().mapToLong(Others::sessions).sum(),
                        heard.stream().mapToLong(Others::claimed).sum()));
              }
            });
          });
        }
      }
    }

    /** The session of one that has its place begins; or the client has gone. */
    void begin(boolean there) {
      if (!granted.isEmpty()) {
        Place place = granted.removeFirst();
        if (there) {
          place.account().enters(() -> sessions++);
          events.add(place::close); // later, and without effect
        } else {
          place.close();
          place.close(); // without effect
        }
      }
    }
  }

  private static AccountLimits sessions(long most) {
    return new AccountLimits(0, 0, 0, most);
  }

  private void run() {
    while (!events.isEmpty() || !later.isEmpty()) {
      List<Runnable> due = events.isEmpty() ? later : events;
      due.remove(dice.nextInt(due.size())).run();
    }
  }

  private int all() {
    return cns.stream().mapToInt(cn -> cn.sessions + cn.granted.size()).sum();
  }

  @Test
  void neverTooManyAndNobodyIsRefusedForNothing() {
    for (int seed = 0; seed < 3_000; seed++) {
      dice = new Random(seed);
      cns.clear();
      events.clear();
      later.clear();
      int most = 1 + dice.nextInt(6);
      for (int i = 0; i < 1 + dice.nextInt(4); i++) {
        new Cn("cn-" + i, sessions(most));
      }
      for (int step = 0; step < 60; step++) {
        Cn cn = cns.get(dice.nextInt(cns.size()));
        switch (dice.nextInt(6)) {
          case 0 -> cn.login();
          case 1 -> cn.begin(dice.nextInt(4) > 0);
          case 2 -> cn.sessions -= cn.sessions > 0 ? 1 : 0;
          default -> {
            List<Runnable> due = later.isEmpty() || dice.nextInt(9) > 0 ? events : later;
            if (!due.isEmpty()) {
              due.remove(dice.nextInt(due.size())).run();
            }
          }
        }
        assertTrue(all() <= most, all() + " of " + most + ", seed " + seed);
      }
      run();
      assertTrue(all() <= most, all() + " of " + most + ", seed " + seed);
      while (cns.stream().anyMatch(cn -> !cn.granted.isEmpty())) {
        cns.forEach(cn -> cn.begin(true));
      }
      fill(most, seed);
    }
  }

  /** Whatever was before: as many as may be are let in, though all come at once. */
  private void fill(int most, int seed) {
    for (Cn cn : cns) {
      cn.sessions = 0;
      cn.refused = 0;
      for (int i = 0; i < most; i++) {
        cn.login();
      }
    }
    run();
    assertEquals(most, all(), "seed " + seed);
    assertEquals(
        most * (cns.size() - 1), cns.stream().mapToInt(cn -> cn.refused).sum(), "seed " + seed);
  }

  @Test
  void thoseWhoComeWhileOthersAskAreInOneRound() {
    Cn cn = new Cn("cn-1", sessions(100));
    new Cn("cn-2", sessions(100));
    for (int i = 0; i < 50; i++) {
      cn.login();
    }
    int questions = 0;
    while (!events.isEmpty()) {
      questions++;
      events.removeFirst().run();
    }
    assertEquals(6, questions); // two rounds, each a question and its answer
    assertEquals(50, cn.granted.size());
  }

  @Test
  void whoeverCannotAskKeepsNobodyOut() {
    Cn broken = new Cn("cn-1", sessions(2));
    Cn other = new Cn("cn-2", sessions(2));
    breaks = true;
    broken.login();
    broken.login();
    run();
    assertEquals(2, broken.refused);
    assertEquals(0, broken.logins.answer("cn-2", 1).claimed());
    breaks = false;
    other.login();
    broken.login();
    run();
    assertEquals(1, other.granted.size());
    assertEquals(1, broken.granted.size());
  }

  private AlraiException refusal(Cn cn) {
    CompletableFuture<Place> login = cn.logins.enter();
    run();
    assertTrue(login.isCompletedExceptionally());
    return AlraiException.causeOf(login.exceptionNow());
  }

  @Test
  void sentencesOfMysql() {
    Cn cn = new Cn("cn-1", sessions(0));
    global = 1;
    cn.login();
    run();
    AlraiException full = refusal(cn);
    assertEquals(1203, full.errno());
    assertEquals(
        "User _%'\"` é漢.x already has more than 'max_user_connections' active connections",
        full.sentence());
    cn.use.limits(new AccountLimits(0, 0, 3, 2));
    cn.login();
    run();
    assertEquals(
        "User '_%'\"` é漢.x' has exceeded the 'max_user_connections' resource (current value: 2)",
        refusal(cn).sentence());
    cn.begin(false);
    cn.login();
    run();
    cn.begin(false);
    cn.login();
    run();
    cn.begin(false);
    AlraiException hour = refusal(cn);
    assertEquals(1226, hour.errno());
    assertEquals(
        "User '_%'\"` é漢.x' has exceeded the 'max_connections_per_hour' resource (current value:"
            + " 3)",
        hour.sentence());
    assertFalse(cn.granted.isEmpty());
  }
}
