package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Members that are added to a group, each instead of one that is dropped. One thread. */
final class ReplacedMembers {
  private final ClusterProcess cluster;
  private final Optional<MemberNetwork> network;
  private final GroupMembers members;
  private final Set<String> added = new HashSet<>();
  private char lastLetter = 'b';
  private int lastLogger = 1;

  ReplacedMembers(ClusterProcess cluster, Optional<MemberNetwork> network, GroupMembers members) {
    this.cluster = cluster;
    this.network = network;
    this.members = members;
  }

  /** Another logger; what was done. */
  String logger(int dn) throws IOException {
    String old = members.logger(dn);
    String fresh = "logger-" + ++lastLogger;
    begin(dn, fresh, Keeps.LOG);
    String done = members.tell(() -> "ADD LOGGER '" + fresh + "' TO 'dn-" + dn + "'");
    done += ", " + members.tell(() -> "DROP NODE '" + old + "' FROM 'dn-" + dn + "'");
    members.replace(dn, old, fresh);
    end(old);
    return done;
  }

  /** Another one with rows, instead of whoever follows; what was done. */
  String follower(int dn) throws IOException {
    members.awaitWhole(dn);
    String fresh = "dn-" + dn + "-" + ++lastLetter;
    begin(dn, fresh, Keeps.ROWS);
    String done = members.tell(() -> "ADD FOLLOWER '" + fresh + "' TO 'dn-" + dn + "'");
    String[] old = {""};
    done +=
        ", "
            + members.tell(() -> {
              String follows = members.withState(dn, "FOLLOWING");
              old[0] = follows.isEmpty() ? old[0] : follows;
              return "DROP NODE '" + old[0] + "' FROM 'dn-" + dn + "'";
            });
    members.replace(dn, old[0], fresh);
    members.awaitWhole(dn);
    added.add(old[0]); // whoever was dropped may be forgotten
    end(old[0]);
    return done;
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
