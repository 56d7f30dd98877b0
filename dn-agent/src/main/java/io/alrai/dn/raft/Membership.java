package io.alrai.dn.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.server.RaftConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who votes in a group: what its log says, and how its leader changes that, one member at a time. A
 * joiner is sent the log first and votes when it is near; a change that fails before that leaves
 * the group as it was. Thread-safe.
 */
final class Membership {
  private static final Logger log = LoggerFactory.getLogger(Membership.class);

  /** Sends a change to the group. */
  interface Changes {
    /** Completes with the leader's reply. */
    CompletableFuture<RaftClientReply> send(SetConfigurationRequest.Arguments change)
        throws IOException;
  }

  private final GroupConfig config;
  private final Supplier<Optional<RaftConfiguration>> known;
  private final Supplier<Map<String, Duration>> silences;
  private final Changes changes;

  @GuardedBy("this")
  private @Nullable Change running;

  /** A change that is at work. */
  private record Change(String what, CompletableFuture<Void> done) {}

  /**
   * The members of the group that a log belongs to.
   *
   * @param known what the log says; empty while it is closed
   * @param silences for how long a leader has not heard of the others, those that join too
   */
  Membership(
      GroupConfig config,
      Supplier<Optional<RaftConfiguration>> known,
      Supplier<Map<String, Duration>> silences,
      Changes changes) {
    this.config = config;
    this.known = known;
    this.silences = silences;
    this.changes = changes;
  }

  /** Who votes by a configuration in the log that this member is not in; else nobody. */
  List<String> votersWithoutThis() {
    return known
        .get()
        .filter(said -> said.getLogEntryIndex() >= 0)
        .map(said -> said.getCurrentPeers().stream().map(peer -> peer.getId().toString()).toList())
        .filter(voters -> !voters.contains(config.name()))
        .orElse(List.of());
  }

  /** As Ratis knows a member: what it keeps is where it does not look. */
  static RaftPeer peer(GroupMember member) {
    return RaftPeer.newBuilder()
        .setId(member.name())
        .setAddress(member.address())
        .setDataStreamAddress(member.keeps().name().toLowerCase(Locale.ROOT))
        .build();
  }

  private GroupMember member(RaftPeer peer) {
    return new GroupMember(peer.getId().toString(), peer.getAddress(), keeps(peer));
  }

  private Keeps keeps(RaftPeer peer) {
    return said(peer).orElse(Keeps.ROWS);
  }

  /** Groups were begun without saying it; their founders are known. */
  private Optional<Keeps> said(RaftPeer peer) {
    String said = peer.getDataStreamAddress();
    return said == null || said.isEmpty()
        ? config.founders().stream()
            .filter(founder -> founder.name().equals(peer.getId().toString()))
            .findFirst()
            .map(GroupMember::keeps)
        : Optional.of(Keeps.valueOf(said.toUpperCase(Locale.ROOT)));
  }

  /**
   * Whether a member has rows, which this one may not have heard of yet.
   *
   * @param peer as another member knows it
   */
  boolean hasRows(RaftPeer peer) {
    return said(peer).filter(keeps -> keeps == Keeps.ROWS).isPresent();
  }

  /** Whether one of that name votes and has rows. */
  boolean hasRows(String name) {
    return members().stream()
        .anyMatch(member -> member.name().equals(name) && member.keeps() == Keeps.ROWS);
  }

  /** Those who vote, by name; while they change those who will. */
  List<GroupMember> members() {
    return known
        .get()
        .map(RaftConfiguration::getCurrentPeers)
        .map(Collection::stream)
        .orElse(Stream.of())
        .map(this::member)
        .sorted(GroupMember.BY_NAME)
        .toList();
  }

  /** See {@link GroupLog#addMember}. */
  synchronized CompletableFuture<Void> add(GroupMember joiner) {
    List<GroupMember> present = members();
    if (present.contains(joiner)) {
      return running("adding " + joiner.name())
          .orElseGet(() -> CompletableFuture.completedFuture(null));
    }
    for (GroupMember other : present) {
      if (other.name().equals(joiner.name()) || other.address().equals(joiner.address())) {
        return refused(
            joiner.name()
                + " at "
                + joiner.address()
                + " cannot be added: the group has "
                + other.name()
                + " at "
                + other.address()
                + "; give it another name and address, or drop that one first");
      }
    }
    return change(
        "adding " + joiner.name(), Stream.concat(present.stream(), Stream.of(joiner)).toList());
  }

  /**
   * Whether all that would be left have answered within a time: nobody need be waited for. One that
   * is not a member is left to {@link #drop}.
   */
  boolean leavesLiving(String name, Duration within) {
    List<GroupMember> left = without(name);
    return living(left, within).size() == left.size();
  }

  /** Whether a majority of those that would be left have answered within a time. */
  boolean leavesMajority(String name, Duration within) {
    List<GroupMember> left = without(name);
    return isMajority(living(left, within), left);
  }

  private static boolean isMajority(List<String> living, List<GroupMember> of) {
    return living.size() * 2 > of.size();
  }

  private List<GroupMember> without(String name) {
    return members().stream().filter(member -> !member.name().equals(name)).toList();
  }

  private List<String> living(List<GroupMember> of, Duration within) {
    Map<String, Duration> silent = silences.get();
    return of.stream().map(GroupMember::name).filter(each -> lives(each, silent, within)).toList();
  }

  private boolean lives(String member, Map<String, Duration> silent, Duration within) {
    return member.equals(config.name())
        || silent.getOrDefault(member, within).compareTo(within) < 0;
  }

  /**
   * See {@link GroupLog#dropMember}.
   *
   * @param within who has answered its leader within that time counts as one that lives
   */
  synchronized CompletableFuture<Void> drop(String name, Duration within) {
    Optional<CompletableFuture<Void>> adding = running("adding " + name);
    if (adding.isPresent()) {
      // it cannot be stopped, and it would vote in the end
      return adding
          .get()
          .handle((added, failed) -> drop(name, within))
          .thenCompose(dropped -> dropped);
    }
    List<GroupMember> left = without(name);
    if (left.size() == members().size()) {
      return running("dropping " + name).orElseGet(() -> CompletableFuture.completedFuture(null));
    }
    if (name.equals(config.name())) {
      return refused(
          name
              + " leads its group and cannot drop itself: let another member lead first,"
              + " with ALTER SYSTEM CHANGE_ROLE NODE");
    }
    List<String> living = living(left, within);
    if (!isMajority(living, left)) {
      return refused(
          name
              + " cannot be dropped: of those that would be left, "
              + left.stream().map(GroupMember::name).toList()
              + ", only "
              + living
              + " answer, which is no majority; start the others, or add a member, first");
    }
    return change("dropping " + name, left);
  }

  @GuardedBy("this")
  private Optional<CompletableFuture<Void>> running(String what) {
    return Optional.ofNullable(running)
        .filter(change -> change.what().equals(what) && !change.done().isDone())
        .map(Change::done);
  }

  @GuardedBy("this")
  private CompletableFuture<Void> change(String what, List<GroupMember> next) {
    Optional<CompletableFuture<Void>> same = running(what);
    if (same.isPresent()) {
      return same.get();
    }
    Change before = running;
    if (before != null && !before.done().isDone()) {
      return refused(
          "the group of "
              + config.name()
              + " changes one member at a time, and "
              + before.what()
              + " is at work");
    }
    log.info("{}: {}: the group shall be {}", config.name(), what, next);
    CompletableFuture<Void> done = send(arguments(members(), next));
    done.whenComplete((nothing, error) -> {
      if (error == null) {
        log.info("{}: {}: done", config.name(), what);
      } else {
        log.warn("{}: {}: {}", config.name(), what, error.toString());
      }
    });
    running = new Change(what, done);
    return done;
  }

  private CompletableFuture<Void> send(SetConfigurationRequest.Arguments change) {
    CompletableFuture<RaftClientReply> reply;
    try {
      reply = changes.send(change);
    } catch (IOException closing) {
      reply = CompletableFuture.failedFuture(closing);
    }
    return reply
        .thenAccept(answer -> {
          if (!answer.isSuccess()) {
            throw new CompletionException(answer.getException());
          }
        })
        .exceptionallyCompose(failed -> CompletableFuture.failedFuture(unchanged(failed)));
  }

  private AlraiException unchanged(Throwable failed) {
    Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
    return switch (cause) {
      case ReconfigurationTimeoutException _ ->
          new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "the member that shall join does not answer its leader " + config.name(),
              failed);
      case ReconfigurationInProgressException _ ->
          new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "the group of " + config.name() + " is changing already",
              failed);
      case NotLeaderException _ -> lost(config.name() + " does not lead its group", failed);
      case null, default ->
          lost(
              "it is not known whether the group of " + config.name() + " has changed: " + cause,
              failed);
    };
  }

  /** It may be in the log, and the next leader goes on with it. */
  private static AlraiException lost(String sentence, Throwable failed) {
    return new AlraiException(ErrorCode.CR_SERVER_LOST, sentence, failed);
  }

  private static SetConfigurationRequest.Arguments arguments(
      List<GroupMember> present, List<GroupMember> next) {
    return SetConfigurationRequest.Arguments.newBuilder()
        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
        .setServersInCurrentConf(present.stream().map(Membership::peer).toList())
        .setServersInNewConf(next.stream().map(Membership::peer).toList())
        .build();
  }

  private static CompletableFuture<Void> refused(String sentence) {
    return CompletableFuture.failedFuture(
        new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence));
  }
}
