package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.ask.AskExchange;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.rpc.wire.EnvelopeVersions;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.Proofs;
import io.alrai.dn.rpc.wire.Purpose;
import io.alrai.dn.ship.FollowedLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every session of an agent uses, whoever leads. */
record AgentContext(
    DnId dn,
    Proofs proofs,
    Leadership leadership,
    NodeClock clock,
    Peers peers,
    AskExchange exchange,
    ServerCounts counts) {
  private static final Logger log = LoggerFactory.getLogger(AgentContext.class);

  /** The generation of the GMS that whoever opened a connection followed by then. */
  private static final AttributeKey<Long> GMS = AttributeKey.valueOf("alrai.gms");

  /**
   * What the agent knows of a commit that was not answered: nothing yet while it does not know what
   * it is in its group, so that the caller asks again.
   */
  CompletableFuture<Message> fate(Message.AskFate asked) {
    GroupMembership member = leadership.member();
    CommitFate fate =
        member == null
            ? CommitFate.OPEN
            : member.fate(asked.term(), asked.connection(), asked.sent());
    return CompletableFuture.completedFuture(new Message.FateIs(fate));
  }

  /** What takes the DATA of a connection that is neither a branch nor brings the log. */
  Optional<ChannelHandler> behind(
      Purpose purpose, String caller, Leading leader, SessionOutput output) {
    return switch (purpose) {
      case KEPT -> Optional.of(new KeptAnswers(leader, output));
      case ASK -> Optional.of(exchange.line(caller, output.channel(), output::data));
      default -> Optional.empty();
    };
  }

  /** The log that a member gives to others while it follows. */
  FollowedLog feed(GroupMembership member) {
    return member
        .reads()
        .flatMap(ServedViews::log)
        .filter(FollowedLog::isThere)
        .orElseThrow(() -> unavailable("does not follow now"));
  }

  /** Why a caller does not get what it wants. */
  AlraiException unavailable(String what) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "an agent of " + dn + " " + what);
  }

  /**
   * Refuses a caller of another version, without the cluster's secret, or that follows a GMS that
   * has ended.
   *
   * @param nonce that the caller was to prove it by
   * @param from its connection, which keeps what it follows
   * @throws AlraiException why
   */
  void requireTrusted(Message.Hello hello, Message.Nonce nonce, Channel from) {
    EnvelopeVersions.requireOurs(hello.version(), hello.node().name(), "the agent of " + dn);
    if (!Proofs.same(
        proofs.hello(nonce, hello.nonce(), hello.purpose(), hello.node(), hello.generations()),
        hello.proof())) {
      log.warn(
          "{} says it is {}, but it does not know the cluster's secret",
          from.remoteAddress(),
          hello.node());
      throw new AlraiException(
          ErrorCode.ER_ACCESS_DENIED_ERROR,
          "the agent of " + dn + " refuses this node: it has another cluster secret");
    }
    from.attr(GMS).set(hello.generations().gms());
    long gms = leadership.gmsGeneration();
    if (hello.generations().gms() < gms) {
      throw unavailable(
          "refuses "
              + hello.node()
              + ": it follows nodes of the GMS of generation "
              + hello.generations().gms()
              + ", and one was made the GMS by force, in generation "
              + gms);
    }
  }

  /** Whether it was opened in an earlier generation of the GMS than this one. */
  static boolean isEarlier(Channel connection, long generation) {
    Long opened = connection.attr(GMS).get();
    return opened != null && opened < generation;
  }

  /** Whether a caller knows that this member's group has ended: it is not to be served here. */
  boolean isOver(Message.Hello hello) {
    GroupMembership self = leadership.member();
    return self != null && self.isOver(hello.generations());
  }
}
