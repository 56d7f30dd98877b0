package io.alrai.dn.gate.group;

import io.alrai.dn.gate.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The log of a group of three as Raft keeps it. Messages are lost, late and out of order; links
 * break for a while, each direction by itself; members are killed and lose what they have not
 * synced. Only votes take no time, and somebody else says when there is an election and who is
 * asked: whoever is elected could have been by messages.
 */
final class ModelRaft<E> {
  static final int MEMBERS = 3;
  static final int MAJORITY = MEMBERS / 2 + 1;

  private final World world;
  private final RaftRules rules;
  private final List<RaftMember<E>> members = new ArrayList<>();
  private final boolean[][] cut = new boolean[MEMBERS][MEMBERS];

  /** How many messages are lost, of those that a link carries. */
  double losses;

  /** Nobody leads yet. */
  ModelRaft(World world, RaftRules rules, IntFunction<RaftEvents<E>> events) {
    this.world = world;
    this.rules = rules;
    for (int i = 0; i < MEMBERS; i++) {
      members.add(new RaftMember<>(world, this, rules, i, events.apply(i)));
    }
  }

  RaftMember<E> member(int id) {
    return members.get(id);
  }

  /** No message gets from one to the other until the link is healed. */
  void cut(int from, int to) {
    cut[from][to] = true;
  }

  void heal(int from, int to) {
    cut[from][to] = false;
  }

  boolean carries(int from, int to) {
    return from == to || !cut[from][to];
  }

  /** Whether these two hear of each other. */
  boolean linked(int a, int b) {
    return carries(a, b) && carries(b, a);
  }

  /** A message; it may be lost. */
  void send(int from, int to, Runnable arrives) {
    if (!carries(from, to) || world.chance(losses)) {
      return;
    }
    world.after(
        world.delay(),
        () -> {
          if (members.get(to).up()) {
            arrives.run();
          }
        });
  }

  /**
   * A member wants to lead. Members that are asked and up hear of the new term: none of them leads
   * on.
   *
   * @param asked who can be asked, besides the candidate
   * @return whether it leads now
   */
  boolean elect(int candidate, List<Integer> asked) {
    RaftMember<E> wants = members.get(candidate);
    List<RaftMember<E>> voters = new ArrayList<>(List.of(wants));
    for (int other : asked) {
      if (other != candidate && members.get(other).up() && linked(candidate, other)) {
        voters.add(members.get(other));
      }
    }
    if (!wants.up() || voters.size() < MAJORITY) {
      return false;
    }
    long term = voters.stream().mapToLong(RaftMember::term).max().orElseThrow() + 1;
    long votes = voters.stream().filter(v -> !rules.comparesLogs() || wants.hasAllOf(v)).count();
    voters.forEach(voter -> voter.enter(term));
    if (votes < MAJORITY) {
      return false;
    }
    wants.lead();
    return true;
  }
}
