package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.net.HostPort;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.Message;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Members by their agents: a connection for each question, as they are few. Thread-safe. */
final class RemoteMembers implements DnMembers, Donors {
  private static final long STATUS_MILLIS = 1_000;

  /** The statements that are at work, an election, and as much again. */
  private static final long CHANGE_MILLIS = 10_000;

  /** It asks the others, for a second. */
  private static final long OUTLOOK_MILLIS = 3_000;

  /** A mysqld logs in meanwhile. */
  private static final long OFFER_MILLIS = 10_000;

  private final DnId dn;
  private final Supplier<KnownMembers> known;
  private final AgentConnector connector;
  private final EventLoopGroup loops;

  RemoteMembers(
      DnId dn, Supplier<KnownMembers> known, AgentConnector connector, EventLoopGroup loops) {
    this.dn = dn;
    this.known = known;
    this.connector = connector;
    this.loops = loops;
  }

  @Override
  public List<String> names() {
    List<KnownMembers.Member> members = known.get().members();
    return members.isEmpty()
        ? List.of(dn.name())
        : members.stream().map(KnownMembers.Member::name).sorted().toList();
  }

  @Override
  public List<String> learners() {
    return known.get().learners().stream().map(KnownMembers.Member::name).sorted().toList();
  }

  @Override
  public String address(String member) {
    InetSocketAddress place = place(member);
    return HostPort.of(place).toString();
  }

  private InetSocketAddress place(String name) {
    KnownMembers now = known.get();
    if (now.members().isEmpty() && name.equals(dn.name())) {
      return now.leader();
    }
    return Stream.concat(now.members().stream(), now.learners().stream())
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ALRAI_NODE_UNAVAILABLE, name + " is no member of " + dn + ": " + names()))
        .address();
  }

  @Override
  public CompletableFuture<MemberStatus> ask(String member) {
    return ask(
        member,
        new Message.AskMember(),
        STATUS_MILLIS,
        Message.MemberIs.class,
        Message.MemberIs::status);
  }

  @Override
  public CompletableFuture<Void> changeLeader(String leader, String to) {
    return call(leader, new Message.ChangeLeader(to), CHANGE_MILLIS).thenAccept(done -> {});
  }

  @Override
  public CompletableFuture<Boolean> add(
      String leader, String member, String address, boolean keepsRows) {
    return change(leader, new Message.AddMember(member, address, keepsRows));
  }

  @Override
  public CompletableFuture<Boolean> drop(String leader, String member) {
    return change(leader, new Message.DropMember(member));
  }

  /** Has a leader change its group: what it did not answer is no refusal. */
  private CompletableFuture<Boolean> change(String leader, Message request) {
    return sent(leader, request, CHANGE_MILLIS)
        .exceptionallyCompose(RemoteMembers::lost)
        .thenApply(reply -> read(reply, Message.Held.class, Message.Held::held));
  }

  private static <T> CompletableFuture<T> lost(Throwable error) {
    Throwable cause = AgentChannel.Lost.unwrap(error);
    return CompletableFuture.failedFuture(
        cause instanceof AgentChannel.Lost lost
            ? new AlraiException(ErrorCode.CR_SERVER_LOST, lost.reason().sentence(), lost)
            : cause);
  }

  @Override
  public CompletableFuture<Void> rebuild(String member) {
    return call(member, new Message.Rebuild(), OFFER_MILLIS).thenAccept(done -> {});
  }

  @Override
  public CompletableFuture<Void> endRebuild(String member) {
    return call(member, new Message.EndRebuild(), OFFER_MILLIS).thenAccept(done -> {});
  }

  @Override
  public CompletableFuture<GroupOutlook> outlook(String member) {
    return ask(
        member,
        new Message.LookAround(),
        OUTLOOK_MILLIS,
        Message.OutlookIs.class,
        Message.OutlookIs::outlook);
  }

  @Override
  public CompletableFuture<DonorLogin> offer(String member) {
    return ask(
        member,
        new Message.OfferRows(),
        OFFER_MILLIS,
        Message.RowsOffered.class,
        Message.RowsOffered::login);
  }

  @Override
  public void relay(String member, Channel recipient, Runnable lost) {
    InetSocketAddress place;
    try {
      place = place(member);
    } catch (AlraiException dropped) {
      lost.run();
      recipient.close();
      return;
    }
    connector.openRows(
        recipient.eventLoop(),
        place,
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel channel, long connectionId) {
            if (!recipient.isActive()) {
              channel.close();
              return;
            }
            channel
                .channel()
                .closeFuture()
                .addListener(closed -> {
                  if (recipient.isActive()) {
                    lost.run();
                  }
                });
            RelayEnd.connect(channel.channel(), recipient);
          }

          @Override
          public void refused(AlraiException reason) {
            lost.run();
            recipient.close();
          }
        });
  }

  private <M extends Message, T> CompletableFuture<T> ask(
      String member, Message request, long boundMillis, Class<M> kind, Function<M, T> read) {
    return call(member, request, boundMillis).thenApply(reply -> read(reply, kind, read));
  }

  private static <M extends Message, T> T read(Message reply, Class<M> kind, Function<M, T> read) {
    if (kind.isInstance(reply)) {
      return read.apply(kind.cast(reply));
    }
    throw Envelope.unexpected(reply);
  }

  private CompletableFuture<Message> call(String member, Message request, long boundMillis) {
    return sent(member, request, boundMillis).exceptionallyCompose(ControlConnection::unavailable);
  }

  private CompletableFuture<Message> sent(String member, Message request, long boundMillis) {
    CompletableFuture<Message> reply = new CompletableFuture<>();
    connector.openMember(
        loops.next(),
        place(member),
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel channel, long connectionId) {
            channel
                .call(request, boundMillis)
                .whenComplete((message, error) -> {
                  if (error == null) {
                    reply.complete(message);
                  } else {
                    reply.completeExceptionally(error);
                  }
                  channel.close();
                });
          }

          @Override
          public void refused(AlraiException reason) {
            reply.completeExceptionally(new AgentChannel.Lost(reason));
          }
        });
    return reply.orTimeout(boundMillis, TimeUnit.MILLISECONDS);
  }
}
