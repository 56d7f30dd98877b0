package io.alrai.dn.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.raft.ClosedLog;
import io.alrai.raft.RaftProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's part in its group's log. An entry is committed when a majority of the members has
 * synced it. Thread-safe.
 */
public final class GroupLog implements KeptLog, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GroupLog.class);
  private static final long HANDOVER_MILLIS = 2_000;

  private final GroupConfig config;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final GroupStateMachine machine;
  private final Membership membership;
  private final ScheduledExecutorService handing;
  private final LogRetention retention;
  private final MemberQuestions questions;
  private final Optional<String> forced;
  private volatile boolean closing;
  private volatile @Nullable RaftServer server;

  private GroupLog(GroupConfig config, GroupEvents events) {
    this.config = config;
    this.forced = ForcedLog.note(config);
    this.handing =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(config.name() + "-handover").factory());
    this.membership =
        new Membership(
            config,
            () -> division().map(RaftServer.Division::getRaftConf),
            this::silences,
            this::sendConfiguration);
    LeaderHandover handover =
        new ShortLead(config, this::info, membership::hasRows, this::handOver, handing);
    this.machine = new GroupStateMachine(config, events, handover, membership::hasRows);
    this.questions =
        new MemberQuestions(config, () -> division().map(RaftServer.Division::getGroup));
    this.retention =
        new LogRetention(
            config.name(),
            config.logs().log(config.generation()),
            config.bounds().retained(),
            machine::forgettable,
            this::division);
  }

  /**
   * Joins the group. The events say who leads; some of them come before this returns.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE: the port is taken, the directory cannot be used,
   *     or the member was dropped from the group
   */
  public static GroupLog start(GroupConfig begins, GroupEvents events) {
    DroppedMark.refuse(begins);
    RaftProcess.keepAlive();
    GroupConfig config = begins.of(generation(begins).orElse(begins.generation()));
    GroupLog joined = new GroupLog(config, events);
    try {
      config.logs().putAside(config.generation());
      RaftServer made =
          RaftServer.newBuilder()
              .setParameters(GroupSettings.links(config))
              .setServerId(config.self())
              .setGroup(config.founding())
              .setStateMachine(joined.machine)
              .setProperties(GroupSettings.of(config))
              .setOption(RaftStorage.StartupOption.RECOVER)
              .build();
      joined.server = made;
      made.start();
      joined.look(made, events);
      return joined;
    } catch (IOException | RuntimeException e) {
      joined.close();
      throw unavailable(config, e);
    }
  }

  private void look(RaftServer started, GroupEvents events) {
    BooleanSupplier wanted = () -> closing || DroppedMark.is(config);
    new ClosedLog(config.name(), this::info, wanted, events::failed).lookOn(handing);
    new UnheardDrop(config, membership, questions, events).lookOn(handing);
    new DeadLeader(config, started, this::division).lookOn(handing);
    handing.scheduleWithFixedDelay(retention::look, 1, 1, TimeUnit.SECONDS);
  }

  /** Whether a member has heard that its group goes on without it: it cannot be started again. */
  public static boolean isDropped(GroupConfig config) {
    return DroppedMark.is(config);
  }

  /** Whether the member has had a part in the log, of which something is there. */
  public static boolean isThere(GroupConfig config) {
    return generation(config).isPresent();
  }

  /** The generation of the log that is there; empty where there is none. */
  public static OptionalLong generation(GroupConfig config) {
    try {
      return config.logs().latest();
    } catch (IOException e) {
      throw unavailable(config, e);
    }
  }

  /** The generation of this log: members of another one do not know it. */
  public long generation() {
    return config.generation();
  }

  /** How this member was made the group by force; empty where it was not. */
  public Optional<String> forced() {
    return forced;
  }

  /** The group goes on without a member that does not run, which must not be started again. */
  public static void drop(GroupConfig config) {
    DroppedMark.write(config);
  }

  /**
   * The group goes on in a later generation without this member, which does not vote any more, nor
   * after its next start. It hears of that as if its leader had said so. Returns at once.
   */
  public void supersede(String why) {
    handing.execute(() -> {
      if (!DroppedMark.is(config)) {
        closeServer();
        machine.superseded(why);
      }
    });
  }

  private static AlraiException unavailable(GroupConfig config, Exception cause) {
    return unavailable(
        "the log of " + config.name() + " in " + config.directory() + " cannot be used: " + cause,
        cause);
  }

  private static AlraiException unavailable(String sentence, Exception cause) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence, cause);
  }

  RaftServer server() {
    RaftServer now = server;
    if (now == null) {
      throw new IllegalStateException("the log of " + config.name() + " has not started");
    }
    return now;
  }

  /**
   * Writes an entry after all that were written before by the same thread. The future completes
   * with its index when it is committed, on a thread of the log; it fails when that is not certain
   * as this member leads no more, or never has, and when the entry is void.
   *
   * @param term as {@link GroupEvents#leads} has given it. In any other one the entry is void: no
   *     member sees it
   * @param entry not to be changed any more; at most 2 MiB
   */
  public CompletableFuture<Long> append(long term, byte[] entry) {
    if (entry.length > GroupSettings.ENTRY_MAX) {
      throw new IllegalArgumentException(entry.length + " bytes in one entry");
    }
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(config.self())
            .setGroupId(config.id())
            .setCallId(calls.incrementAndGet())
            .setMessage(EntryTerm.message(term, entry))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    try {
      return server().submitClientRequestAsync(request).thenApply(reply -> written(reply, term));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(unavailable(config, e));
    }
  }

  private long index(RaftClientReply reply) {
    if (!reply.isSuccess()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          config.name() + " does not lead: " + reply.getException(),
          reply.getException());
    }
    return reply.getLogIndex();
  }

  private long written(RaftClientReply reply, long term) {
    long index = index(reply);
    if (GroupStateMachine.isVoid(reply.getMessage())) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          config.name() + " does not lead in term " + term + " any more: what it wrote is void");
    }
    return index;
  }

  /** The last entry that has come to this member's {@link GroupEvents}; -1 for none. */
  public long lastCommitted() {
    return machine.committed().index();
  }

  @Override
  public LastEntry last() {
    return machine.last();
  }

  /**
   * As {@link #last}, of another member. Blocking.
   *
   * @throws IOException when it does not answer within a second
   */
  public LastEntry last(String member) throws IOException {
    return questions.last(member);
  }

  /** The first entry that this member still keeps; -1 where it has none. */
  public long firstKept() {
    return raftLog().getStartIndex();
  }

  /**
   * Waits until the members have agreed on an entry.
   *
   * @return false when they have not in time
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when this log is closed
   */
  public boolean awaitCommitted(long index, long millis) throws InterruptedException {
    if (machine.committed().await(index, millis)) {
      return true;
    }
    if (machine.committed().ended()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "the log of " + config.name() + " is closed");
    }
    return false;
  }

  /**
   * A committed entry, from memory or disk: then the file that has it is read.
   *
   * @param index up to {@link #lastCommitted}
   * @return empty for one that is void, and for those of Ratis itself
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when it is not kept any more, or cannot be read
   */
  public Optional<LogEntry> read(long index) {
    if (index > lastCommitted()) {
      throw new IllegalArgumentException("entry " + index + " is not committed");
    }
    LogEntryProto found;
    try {
      found = raftLog().get(index);
    } catch (RaftLogIOException e) {
      // its file may just have been deleted
      throw index < firstKept()
          ? gone(index)
          : unavailable(config.name() + " cannot read entry " + index + ": " + e, e);
    }
    if (found == null) {
      throw gone(index);
    }
    return EntryTerm.read(found);
  }

  private AlraiException gone(long index) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        config.name()
            + " does not keep entry "
            + index
            + " any more: its log begins with "
            + firstKept());
  }

  /** Reads on from an entry, which may not be committed yet. */
  public LogCursor cursor(long from) {
    return new LogCursor(this, Math.max(0, from));
  }

  private RaftLog raftLog() {
    try {
      return server().getDivision(config.id()).getRaftLog();
    } catch (IOException closing) {
      throw unavailable("the log of " + config.name() + " is closed", closing);
    }
  }

  @Override
  public void release(long index) {
    machine.release(index);
  }

  @Override
  public boolean isTooLong() {
    return LogFiles.bytes(config.directory()) > config.bounds().retainedBytes();
  }

  /** Those who vote, this member too if it is one of them; by name. */
  public List<GroupMember> members() {
    return membership.members();
  }

  /** Whether this member votes: one that joins waits until its leader adds it. */
  public boolean isMember() {
    return members().stream().anyMatch(member -> member.name().equals(config.name()));
  }

  /**
   * Adds a member, which runs and waits for it: it is sent the log, and votes when it is near. Any
   * number of times for the same one.
   *
   * @return completes when it votes. Fails with an {@link AlraiException} where it cannot, or does
   *     not answer; where leadership changes meanwhile it may be added or not, and can be added
   *     again
   */
  public CompletableFuture<Void> addMember(GroupMember joiner) {
    return membership.add(joiner);
  }

  /**
   * Drops a member; it need not run. Any number of times for the same one.
   *
   * @return completes when it votes no more; fails as {@link #addMember} does, and where those that
   *     are left have no majority that answers
   */
  public CompletableFuture<Void> dropMember(String name) {
    return new Dropping(membership, name, this::after).begin();
  }

  private void after(Duration time, Runnable what) {
    handing.schedule(what, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private CompletableFuture<RaftClientReply> sendConfiguration(
      SetConfigurationRequest.Arguments change) throws IOException {
    return server()
        .setConfigurationAsync(
            new SetConfigurationRequest(
                client, config.self(), config.id(), calls.incrementAndGet(), change));
  }

  @Override
  public boolean leads() {
    return info().map(DivisionInfo::isLeaderReady).orElse(false);
  }

  @Override
  public Optional<String> leader() {
    return info().map(DivisionInfo::getLeaderId).map(RaftPeerId::toString);
  }

  /** What can be measured of it. */
  public LogGauges gauges() {
    return new LogGauges(
        config.logs().log(config.generation()), machine.elections(), this::division);
  }

  private Optional<DivisionInfo> info() {
    return division().map(RaftServer.Division::getInfo);
  }

  private Optional<RaftServer.Division> division() {
    try {
      return Optional.of(server().getDivision(config.id()));
    } catch (IOException closing) {
      return Optional.empty();
    }
  }

  /**
   * Gives leadership to another member.
   *
   * @return completes when that one leads; fails when it does not in time, and then this one leads
   *     on, or whoever is elected
   */
  public CompletableFuture<Void> handOver(String to) {
    TransferLeadershipRequest request =
        new TransferLeadershipRequest(
            client,
            config.self(),
            config.id(),
            calls.incrementAndGet(),
            RaftPeerId.valueOf(to),
            HANDOVER_MILLIS);
    try {
      return server()
          .transferLeadershipAsync(request)
          .orTimeout(2 * HANDOVER_MILLIS, TimeUnit.MILLISECONDS)
          .thenAccept(this::index);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(unavailable(config, e));
    }
  }

  /** What this member answers {@link #ask}; called on a thread of the log. */
  public void says(Supplier<byte[]> word) {
    machine.says(word);
  }

  /**
   * What another member says of itself, whoever leads. Blocking.
   *
   * @throws IOException when it does not answer within a second
   */
  public byte[] ask(String member) throws IOException {
    return questions.ask(member);
  }

  /**
   * For how long a leader has not heard of each other member, by its name; empty for a member that
   * does not lead.
   */
  public Map<String, Duration> silences() {
    return info()
        .filter(DivisionInfo::isLeader)
        .map(info ->
            info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                .collect(
                    Collectors.toUnmodifiableMap(
                        other -> other.getId().getId().toStringUtf8(),
                        other -> Duration.ofMillis(other.getLastRpcElapsedTimeMs()))))
        .orElse(Map.of());
  }

  /** The members that can lead instead of this one. */
  public List<String> othersWithRows() {
    return members().stream()
        .filter(member -> member.keeps() == Keeps.ROWS && !member.name().equals(config.name()))
        .map(GroupMember::name)
        .toList();
  }

  /** Leaves; the log stays as it is. */
  @Override
  public void close() {
    machine.committed().end();
    questions.close();
    closeServer();
    // a member that is about to hand over finds its log closed
    handing.shutdownNow();
  }

  private void closeServer() {
    closing = true;
    RaftServer now = server;
    try {
      if (now != null) {
        now.close();
      }
    } catch (IOException e) {
      log.warn("{}: its log was not closed in order", config.name(), e);
    }
  }

  @Override
  public String toString() {
    return config.name() + " of " + config.group();
  }
}
