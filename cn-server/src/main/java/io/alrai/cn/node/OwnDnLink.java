package io.alrai.cn.node;

import io.alrai.cn.process.OwnLead;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Latency;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.Unfit;
import io.alrai.dn.link.ViewOpener;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A CN's way to the DN whose agent is in its process: {@link OwnLead#direct direct} while that is
 * possible, else by the envelope to whoever leads. It may change at any time; a branch stays with
 * the way by which it came. Thread-safe.
 */
final class OwnDnLink implements DnLink {
  private final OwnLead own;
  private final DnLink envelope;
  private final ViewOpener views;
  private final CommitParticipant participant;

  /** With the way for when there is no direct one. */
  OwnDnLink(OwnLead own, DnLink envelope) {
    this.own = own;
    this.envelope = envelope;
    this.views = new OwnViews(own, envelope);
    this.participant = new OwnParticipant(own, envelope);
  }

  private DnLink now() {
    DnLink direct = own.direct();
    return direct != null ? direct : envelope;
  }

  @Override
  public DnId dn() {
    return envelope.dn();
  }

  @Override
  public void take(
      EventLoop loop,
      BackendAccount account,
      String schema,
      @Nullable Object settings,
      BranchTaker taker) {
    now().take(loop, account, schema, settings, taker);
  }

  @Override
  public boolean answers() {
    return now().answers();
  }

  @Override
  public boolean mysqldAnswers() {
    return now().mysqldAnswers();
  }

  @Override
  public ViewOpener views() {
    return views;
  }

  @Override
  public Optional<DnLink> replicas() {
    return now().replicas();
  }

  @Override
  public OptionalLong delayMillis() {
    return envelope.delayMillis();
  }

  @Override
  public KeptReplies rows() {
    return now().rows();
  }

  @Override
  public CommitParticipant participant() {
    return participant;
  }

  @Override
  public DnMembers members() {
    return envelope.members();
  }

  @Override
  public void forgetSchemas() {
    DnLink direct = own.direct();
    if (direct != null) {
      direct.forgetSchemas();
    }
    envelope.forgetSchemas();
  }

  @Override
  public int openBranches() {
    DnLink direct = own.direct();
    return envelope.openBranches() + (direct == null ? 0 : direct.openBranches());
  }

  @Override
  public LongAdder unfit(Unfit reason) {
    return now().unfit(reason);
  }

  @Override
  public LongAdder lostReplies() {
    return now().lostReplies();
  }

  @Override
  public Latency waits() {
    return now().waits();
  }

  /** The direct way is the agent's. */
  @Override
  public void close() {
    envelope.close();
  }
}
