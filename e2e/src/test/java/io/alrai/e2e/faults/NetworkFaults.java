package io.alrai.e2e.faults;

import io.alrai.e2e.machine.MemberNetwork;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Networks that are cut for some seconds, or slow. One thread. */
final class NetworkFaults {
  /** Long enough for an election, and for clients to wait. */
  private static final int SHORTEST_MILLIS = 1_500;

  private static final List<Integer> DELAYS = List.of(1, 5, 30);

  /** Who does not hear whom. */
  enum Cut {
    /** The leader hears nobody, and nobody hears it. */
    LEADER,
    /** The leader and the CN have each other alone: neither the GMS nor the other DN either. */
    LEADER_AND_CN,
    /** What the leader says does not arrive; it hears all. */
    FROM_LEADER,
    /** The leader hears nobody; what it says arrives. */
    TO_LEADER,
    LOGGER,
    /** Members with rows do not hear each other; the logger and all others hear both. */
    BETWEEN_ROWS,
    /** Of each two members one does not hear the other, all round. */
    RING,
    /** Nobody reaches the GMS. */
    GMS
  }

  private final MemberNetwork network;
  private final GroupMembers members;
  private final Random random;
  private final int longestMillis;

  NetworkFaults(MemberNetwork network, GroupMembers members, Random random, int longestMillis) {
    this.network = network;
    this.members = members;
    this.random = random;
    this.longestMillis = longestMillis;
  }

  /**
   * Cuts it for some seconds, at times with a process that dies meanwhile.
   *
   * @return what was done
   */
  String cut(Cut how, int dn, GroupFaults.Killer killer) throws InterruptedException {
    String leader = members.leader(dn);
    String other = members.other(dn, leader);
    String logger = members.logger(dn);
    List<String> rest = network.roles().stream().filter(role -> !role.equals(leader)).toList();
    switch (how) {
      case LEADER -> network.cut(List.of(leader));
      case LEADER_AND_CN -> network.cut(List.of(leader, "cn-1"));
      case FROM_LEADER -> network.cutOneWay(List.of(leader), rest);
      case TO_LEADER -> network.cutOneWay(rest, List.of(leader));
      case LOGGER -> network.cut(List.of(logger));
      case BETWEEN_ROWS -> network.cutBetween(List.of(leader), List.of(other));
      case RING -> network.cutRing(List.of(leader, other, logger));
      case GMS -> network.cut(List.of("gms-1"));
    }
    int millis = SHORTEST_MILLIS + random.nextInt(longestMillis - SHORTEST_MILLIS);
    String what = how + " of dn-" + dn + ", led by " + leader + ", for " + millis + " ms";
    try {
      TimeUnit.MILLISECONDS.sleep(millis / 2);
      if (random.nextInt(4) == 0) {
        what += ", meanwhile kill -9 of " + killer.kill(members.anybody());
      }
      TimeUnit.MILLISECONDS.sleep(millis - millis / 2);
    } finally {
      network.heal();
    }
    return what;
  }

  /** All packets take so long, while a leader is killed. */
  String slow(int dn, GroupFaults.Killer killer) throws InterruptedException {
    int delay = DELAYS.get(random.nextInt(DELAYS.size()));
    network.delay(delay);
    try {
      TimeUnit.MILLISECONDS.sleep(SHORTEST_MILLIS);
      String what = delay + " ms each way, meanwhile kill -9 of ";
      String leader = members.leader(dn);
      what += killer.kill(random.nextBoolean() ? leader : GroupMembers.mysqldOf(leader));
      TimeUnit.MILLISECONDS.sleep(random.nextInt(longestMillis));
      return what;
    } finally {
      network.heal();
    }
  }
}
