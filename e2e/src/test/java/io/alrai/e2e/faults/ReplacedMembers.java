package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Members that are added to a group, each instead of one that is dropped, and is killed meanwhile
 * in half of the cases: it may never hear that it was. One thread.
 */
final class ReplacedMembers {
  /** Within this time a member is dropped mostly, and hears of it. */
  private static final int DROP_MILLIS = 600;

  private final ClusterProcess cluster;
  private final Optional<MemberNetwork> network;
  private final GroupMembers members;
  private final Random random;
  private final GroupFaults.Killer killer;
  private final Set<String> added = new HashSet<>();
  private char lastLetter = 'b';
  private int lastLogger = 1;

  /**
   * None is replaced yet.
   *
   * @param killer of those that are dropped
   */
  ReplacedMembers(
      ClusterProcess cluster,
      Optional<MemberNetwork> network,
      GroupMembers members,
      Random random,
      GroupFaults.Killer killer) {
    this.cluster = cluster;
    this.network = network;
    this.members = members;
    this.random = random;
    this.killer = killer;
  }

  /** Another logger; what was done. */
  String logger(int dn) throws IOException, InterruptedException {
    String old = members.logger(dn);
    String fresh = "logger-" + ++lastLogger;
    begin(dn, fresh, Keeps.LOG);
    String done = members.tell(() -> "ADD LOGGER '" + fresh + "' TO 'dn-" + dn + "'");
    done += ", " + drop(dn, () -> old);
    members.replace(dn, old, fresh);
    end(old);
    return done;
  }

  /** Another one with rows, instead of whoever follows; what was done. */
  String follower(int dn) throws IOException, InterruptedException {
    members.awaitWhole(dn);
    String fresh = "dn-" + dn + "-" + ++lastLetter;
    begin(dn, fresh, Keeps.ROWS);
    String done = members.tell(() -> "ADD FOLLOWER '" + fresh + "' TO 'dn-" + dn + "'");
    String[] old = {""};
    done +=
        ", "
            + drop(
                dn,
                () -> {
                  String follows = members.withState(dn, "FOLLOWING");
                  old[0] = follows.isEmpty() ? old[0] : follows;
                  return old[0];
                });
    members.replace(dn, old[0], fresh);
    members.awaitWhole(dn);
    added.add(old[0]); // whoever was dropped may be forgotten
    end(old[0]);
    return done;
  }

  /** Others vote without it in the end, as three of four are enough for that. */
  private String drop(int dn, GroupMembers.Text name) throws InterruptedException {
    AtomicReference<String> asked = new AtomicReference<>("");
    AtomicBoolean struck = new AtomicBoolean();
    GroupMembers.Text statement =
        () -> {
          if (!struck.get() || asked.get().isEmpty()) {
            asked.set(name.now());
          }
          return "DROP NODE '" + asked.get() + "' FROM 'dn-" + dn + "'";
        };
    if (random.nextBoolean()) {
      return members.tell(statement);
    }
    int millis = random.nextInt(DROP_MILLIS);
    CompletableFuture<String> done =
        CompletableFuture.supplyAsync(() -> members.tell(statement), Thread::startVirtualThread);
    while (asked.get().isEmpty() && !done.isDone()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(millis);
    struck.set(true);
    String killed = killer.kill(asked.get());
    return done.join() + ", after " + millis + " ms of it kill -9 of " + killed;
  }

  private void begin(int dn, String name, Keeps keeps) throws IOException {
    if (network.isPresent()) {
      network.get().addMember(dn, name, keeps);
    } else {
      assertEquals(0, cluster.command("member", "add", name, "--to", "dn-" + dn));
    }
    added.add(name);
  }

  /**
   * The first logger serves other groups, too. Whoever was dropped is refused until it knows that.
   */
  private void end(String name) {
    if (added.remove(name)) {
      ClusterProcess.await(
          name + " is removed", () -> cluster.command("member", "remove", name) == 0);
    }
  }
}
