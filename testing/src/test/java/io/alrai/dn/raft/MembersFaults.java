package io.alrai.dn.raft;

import io.alrai.dn.gate.World;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What happens to a model's group: kills, cuts, long absences, lost directories, changes of its
 * members. What is lost for good is lost at one member at a time, and not while nobody else has it.
 */
final class MembersFaults {
  private static final long ASK = 30_000;

  /** A member that shall go, or one that shall come. */
  private record Job(int id, boolean adds) {}

  private final MembersRun run;
  private final World world;
  private final long until;
  private final List<Job> jobs = new ArrayList<>();
  private final Set<Integer> lost = new HashSet<>();
  private long lostAt = -300_000;
  int changes;

  MembersFaults(MembersRun run, long until) {
    this.run = run;
    this.world = run.world;
    this.until = until;
    world.after(world.between(100_000, 300_000), this::fault);
    world.after(ASK, this::operate);
  }

  private void fault() {
    if (world.now() >= until) {
      return;
    }
    List<Voter> in = run.inGroup().stream().filter(voter -> !lost.contains(voter.id())).toList();
    Voter one = in.get((int) world.between(0, in.size() - 1));
    Voter other = in.get((int) world.between(0, in.size() - 1));
    double kind = world.random.nextDouble();
    if (kind < 0.08) {
      returns(one);
    } else if (kind < 0.14) {
      run.leader().ifPresent(this::replaced);
    } else if (kind < 0.25) {
      away(one, world.chance(0.4) ? world.between(150_000, 600_000) : world.between(5_000, 60_000));
    } else if (kind < 0.4) {
      one.member().mysqld().kill();
    } else if (kind < 0.6) {
      cut(one, other);
    } else if (kind < 0.68) {
      run.leader().ifPresent(leader -> leader.member().handOver());
    } else if (kind < 0.78) {
      rows(one);
    } else if (kind < 0.88) {
      loseLog(one);
    } else {
      replace(one);
    }
    world.after(world.between(20_000, 150_000), this::fault);
  }

  private void away(Voter one, long micros) {
    if (one.up() && !one.dropped()) {
      one.crash();
      world.after(micros, () -> revive(one));
    }
  }

  /** One that was away for long comes back when the leader goes, perhaps to others than it knew. */
  private void returns(Voter one) {
    long micros = world.between(150_000, 600_000);
    if (!one.keepsRows() || one.lead() != null) {
      return;
    }
    away(one, micros);
    if (world.chance(0.5)) {
      run.inGroup().stream().filter(voter -> !voter.keepsRows()).forEach(this::replace);
    }
    world.after(
        micros - world.between(0, 20_000),
        () -> run.leader().ifPresent(leader -> away(leader, world.between(100_000, 400_000))));
  }

  /** A leader is cut off and writes on; the next one is killed when it is back. */
  private void replaced(Voter leader) {
    long micros = world.between(100_000, 300_000);
    for (Voter each : run.inGroup()) {
      part(leader, each, micros);
      part(each, leader, micros);
    }
    world.after(
        micros + world.between(0, 20_000),
        () -> run.leader().ifPresent(next -> away(next, world.between(50_000, 400_000))));
  }

  private void revive(Voter one) {
    if (!one.up() && !one.dropped() && !lost.contains(one.id())) {
      one.restart(false);
    }
  }

  private void cut(Voter one, Voter other) {
    long pause = world.between(5_000, 400_000);
    if (world.chance(0.4)) {
      for (Voter each : run.inGroup()) {
        part(one, each, pause);
        part(each, one, pause);
      }
    } else {
      part(one, other, pause);
    }
  }

  private void part(Voter from, Voter to, long pause) {
    run.cut(from.id(), to.id());
    world.after(pause, () -> run.heal(from.id(), to.id()));
  }

  /** Its rows are deleted, or somebody has it cloned that has them all. */
  private void rows(Voter one) {
    if (!one.keepsRows() || !othersHaveAll(one)) {
      return;
    }
    if (world.chance(0.5)) {
      one.member().mysqld().empty();
    } else if (one.member().follows()) {
      one.member().rebuild().ask();
    }
  }

  private boolean othersHaveAll(Voter without) {
    return run.inGroup().stream()
        .anyMatch(voter ->
            voter != without
                && voter.keepsRows()
                && !lost.contains(voter.id())
                && jobs.stream().noneMatch(job -> job.id == voter.id())
                && run.checks.hasAll(voter));
  }

  private void loseLog(Voter one) {
    boolean calm = lost.isEmpty() && jobs.isEmpty() && run.checks.ballot().before().isEmpty();
    if (!calm || !one.up() || one.keepsRows() && !othersHaveAll(one)) {
      return;
    }
    one.crash();
    if (run.rules.refusesLostLogs()) {
      lost.add(one.id());
      lostAt = world.now();
      jobs.add(new Job(one.id(), false));
    } else {
      world.after(world.between(5_000, 60_000), () -> one.restart(true));
    }
  }

  private void replace(Voter one) {
    if (jobs.size() > 1 || world.now() - lostAt < 300_000) {
      return; // until it is noticed that another one is away for good
    }
    if (world.chance(0.5)) {
      away(one, world.between(200_000, 900_000));
    }
    jobs.add(world.chance(0.5) ? jobs.size() : 0, new Job(one.id(), false));
  }

  /** One change after the other is asked for until it is done. */
  private void operate() {
    world.after(ASK, this::operate);
    if (jobs.isEmpty()) {
      return;
    }
    Job job = jobs.getFirst();
    if (isDone(job)) {
      changes++;
      jobs.removeFirst();
      if (!job.adds) {
        Keeps keeps = run.voter(job.id).keepsRows() ? Keeps.ROWS : Keeps.LOG;
        jobs.add(new Job(run.joins(keeps).id(), true));
      }
      return;
    }
    run.leader().ifPresent(leader -> ask(leader, job));
  }

  private boolean isDone(Job job) {
    Ballot now = run.checks.ballot();
    return now.before().isEmpty() && now.now().contains(job.id) == job.adds;
  }

  private void ask(Voter leader, Job job) {
    CompletableFuture<Void> answer;
    Membership members = run.membership(leader);
    VoterLead lead = leader.lead();
    if (job.adds) {
      answer = members.add(run.voter(job.id).known());
    } else if (run.rules.dropsWithMajority() || lead == null) {
      answer = members.drop(run.voter(job.id).name(), Dropping.ALIVE);
    } else {
      Set<Integer> left = new HashSet<>(leader.log().ballot().now());
      left.remove(job.id);
      answer = lead.change(left).thenAccept(done -> {});
    }

    boolean another =
        run.othersWithRows(leader).stream().anyMatch(id -> run.voter(id).member().follows());
    if (job.id == leader.id() && another) {
      leader.member().handOver();
    }
    if (answer.isCompletedExceptionally() && jobs.size() > 1) {
      jobs.add(jobs.removeFirst()); // the other one first
    }
  }

  /** Nothing is broken any more but what is lost for good. */
  void end() {
    run.healAll();
    run.voters().forEach(this::revive);
  }

  boolean isOver() {
    return jobs.isEmpty();
  }
}
