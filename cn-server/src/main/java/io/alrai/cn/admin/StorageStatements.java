package io.alrai.cn.admin;

import io.alrai.cn.result.ResultTable;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import io.alrai.optimizer.api.MembersStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** SHOW STORAGE, and who of a DN's members leads. */
final class StorageStatements {
  /** A member that lacks more of its group's log would keep writes waiting for too long. */
  private static final long MOST_BEHIND = 10_000;

  private static final long LOOK_MILLIS = 20;
  private static final long LEADS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String FOLLOWS = "FOLLOWING";

  private final CnParts parts;

  StorageStatements(CnParts parts) {
    this.parts = parts;
  }

  /** What a member answered, or why it did not. */
  private record Answer(String name, Optional<MemberStatus> status, String error) {
    boolean leads() {
      return status.filter(MemberStatus::leads).isPresent();
    }

    String state() {
      return status.map(MemberStatus::state).orElse("SILENT");
    }
  }

  private static List<Answer> ask(DnMembers members) {
    List<String> names = members.names();
    List<CompletableFuture<MemberStatus>> asked = names.stream().map(members::ask).toList();
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      answers.add(answer(names.get(i), asked.get(i)));
    }
    return answers;
  }

  private static Answer answer(String name, CompletableFuture<MemberStatus> asked) {
    try {
      return new Answer(name, Optional.of(asked.join()), "");
    } catch (CompletionException e) {
      return new Answer(name, Optional.empty(), sentence(e));
    }
  }

  private static String sentence(Exception failed) {
    return failed.getCause() instanceof AlraiException known
        ? known.sentence()
        : "no answer within 1 s";
  }

  void show(StatementRun run, boolean replicas) {
    ResultTable table =
        replicas
            ? new ResultTable()
                .text("DN", 32)
                .text("NODE", 32)
                .text("ROLE", 16)
                .text("STATE", 16)
                .number("TERM")
                .text("ADDRESS", 255)
                .number("COMMITTED_INDEX")
                .number("TRANSACTIONS_BEHIND")
                .number("APPLY_LAG_MS")
                .text("LAST_ERROR", 1024)
            : new ResultTable()
                .text("STORAGE_INST_ID", 32)
                .text("LEADER_NODE", 32)
                .text("LEADER_ADDRESS", 255)
                .text("IS_HEALTHY", 8)
                .number("TERM")
                .number("MEMBERS")
                .number("MEMBERS_ALIVE");
    for (DnLink link : parts.queries().links().all()) {
      DnMembers members = link.members();
      List<Answer> answers = ask(members);
      if (replicas) {
        answers.forEach(answer -> replica(table, link, members, answer));
        loggers(table, link, answers);
      } else {
        dn(table, link, members, answers);
      }
    }
    ShowStatements.write(run, table);
  }

  private static void dn(ResultTable table, DnLink link, DnMembers members, List<Answer> answers) {
    Optional<Answer> leader = answers.stream().filter(Answer::leads).findFirst();
    Optional<MemberStatus> status = leader.flatMap(Answer::status);
    List<MemberStatus.Voter> loggers = status.map(StorageStatements::loggers).orElse(List.of());
    long alive =
        answers.stream().filter(answer -> answer.status().isPresent()).count()
            + loggers.stream().filter(StorageStatements::answers).count();
    int all = answers.size() + loggers.size();
    table.row(
        link.dn(),
        leader.map(Answer::name).orElse(null),
        leader.map(answer -> members.address(answer.name())).orElse(null),
        leader.isPresent() && alive == all ? "true" : "false",
        status.map(MemberStatus::term).filter(term -> term > 0).orElse(null),
        all,
        alive);
  }

  private static List<MemberStatus.Voter> loggers(MemberStatus leader) {
    return leader.voters().stream().filter(voter -> !voter.keepsRows()).toList();
  }

  private static boolean answers(MemberStatus.Voter voter) {
    return voter.silentMillis() < TimeUnit.SECONDS.toMillis(1);
  }

  private static void replica(ResultTable table, DnLink link, DnMembers members, Answer answer) {
    Optional<MemberStatus> status = answer.status();
    table.row(
        link.dn(),
        answer.name(),
        status.map(is -> is.leads() ? "LEADER" : "FOLLOWER").orElse("UNKNOWN"),
        answer.state(),
        status.map(MemberStatus::term).filter(term -> term > 0).orElse(null),
        members.address(answer.name()),
        status.map(MemberStatus::committed).filter(index -> index >= 0).orElse(null),
        status.map(MemberStatus::unapplied).filter(count -> count >= 0).orElse(null),
        status.map(MemberStatus::lagMillis).orElse(null),
        status.map(MemberStatus::error).orElse(answer.error()));
  }

  /** They are asked by their leader, whom they answer all the time. */
  private static void loggers(ResultTable table, DnLink link, List<Answer> answers) {
    answers.stream()
        .filter(Answer::leads)
        .flatMap(answer -> answer.status().stream())
        .flatMap(leader -> loggers(leader).stream())
        .forEach(logger ->
            table.row(
                link.dn(),
                logger.name(),
                "LOGGER",
                answers(logger) ? FOLLOWS : "SILENT",
                null,
                null,
                null,
                null,
                null,
                answers(logger) ? "" : "no answer for " + logger.silentMillis() + " ms"));
  }

  /**
   * Lets a member lead; returns when it takes writes.
   *
   * @throws AlraiException why it cannot: its DN goes on with the leader that it has
   */
  void changeLeader(StatementRun run, String name) {
    DnMembers members = membersWith(name, Optional.empty());
    List<Answer> answers = ask(members);
    Answer leader =
        answers.stream()
            .filter(Answer::leads)
            .findFirst()
            .orElseThrow(() ->
                refusal(
                    "nobody leads the group of "
                        + name
                        + " now, so nobody can give the lead away: "
                        + answers.stream()
                            .map(answer -> answer.name() + " is " + answer.state())
                            .toList()));
    requireFit(name, leader, answers);
    await(members.changeLeader(leader.name(), name));
    awaitLead(members, name, leader.status().map(MemberStatus::term).orElse(0L));
    CnAdmin.ok(run);
  }

  /** What was begun goes on when this is interrupted: SHOW STORAGE REPLICAS has it. */
  private static void await(CompletableFuture<Void> done) {
    try {
      done.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AlraiException known ? known : refusal(sentence(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  /**
   * Has a member get its rows from another one; returns when that has begun.
   *
   * @throws AlraiException why it does not
   */
  void rebuild(StatementRun run, MembersStatement.Rebuild wanted) {
    await(membersWith(wanted.member(), wanted.dn()).rebuild(wanted.member()));
    CnAdmin.ok(run);
  }

  private DnMembers membersWith(String name, Optional<String> dn) {
    List<String> known = new ArrayList<>();
    for (DnLink link : parts.queries().links().all()) {
      if (dn.isPresent() && !dn.get().equals(link.dn().name())) {
        continue;
      }
      DnMembers members = link.members();
      if (members.names().contains(name)) {
        return members;
      }
      known.addAll(members.names());
    }
    throw refusal(
        dn.map(of -> "the DN '" + of + "'").orElse("no DN")
            + (dn.isPresent() ? " has no" : " has a")
            + " member '"
            + name
            + "' that keeps rows; those that can lead are "
            + known);
  }

  private static void requireFit(String name, Answer leader, List<Answer> answers) {
    if (leader.name().equals(name)) {
      throw refusal(name + " leads already");
    }
    Answer wanted =
        answers.stream().filter(answer -> answer.name().equals(name)).findFirst().orElseThrow();
    MemberStatus status =
        wanted
            .status()
            .orElseThrow(
                () -> refusal(name + " does not answer: " + wanted.error() + "; start it first"));
    if (!status.state().equals(FOLLOWS) || !status.error().isEmpty()) {
      throw refusal(name + " cannot lead, as it is " + status.state() + ": " + status.error());
    }
    if (status.unapplied() > MOST_BEHIND) {
      throw refusal(
          name
              + " is "
              + status.unapplied()
              + " transactions behind: it can lead with at most "
              + MOST_BEHIND
              + "; SHOW STORAGE REPLICAS tells");
    }
  }

  private static void awaitLead(DnMembers members, String name, long termBefore) {
    long end = System.nanoTime() + LEADS_NANOS;
    while (true) {
      Optional<MemberStatus> leader =
          ask(members).stream()
              .flatMap(answer -> answer.status().stream())
              .filter(status -> status.leads() && status.term() > termBefore)
              .findFirst();
      if (leader.isPresent() && leader.get().name().equals(name)) {
        return;
      }
      if (leader.isPresent()) {
        throw refusal(
            name
                + " was elected, and then "
                + leader.get().name()
                + ", as "
                + name
                + " was not heard of in time");
      }
      if (System.nanoTime() - end > 0) {
        throw refusal(name + " was elected, but does not take writes yet: SHOW STORAGE REPLICAS");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
