package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.VoterLogs;
import io.netty.channel.EventLoopGroup;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The logs of the voters of a DN that have agents: a connection for each stream. Thread-safe. */
final class RemoteVoterLogs implements VoterLogs {
  private final Supplier<KnownMembers> known;
  private final AgentConnector connector;
  private final EventLoopGroup loops;
  private final LongSupplier nanos;

  /**
   * The logs of a DN's voters.
   *
   * @param nanos monotonic time
   */
  RemoteVoterLogs(
      Supplier<KnownMembers> known,
      AgentConnector connector,
      EventLoopGroup loops,
      LongSupplier nanos) {
    this.known = known;
    this.connector = connector;
    this.loops = loops;
    this.nanos = nanos;
  }

  @Override
  public List<String> names() {
    KnownMembers now = known.get();
    return now.members().stream()
        .sorted(
            Comparator.<KnownMembers.Member, Boolean>comparing(
                    member -> member.address().equals(now.leader()))
                .thenComparing(KnownMembers.Member::name))
        .map(KnownMembers.Member::name)
        .toList();
  }

  @Override
  public Stream open(String voter, GtidSet known, Arrivals arrivals) {
    RemoteVoterLog stream = new RemoteVoterLog(voter, known, arrivals, nanos);
    this.known.get().members().stream()
        .filter(member -> member.name().equals(voter))
        .findFirst()
        .ifPresentOrElse(
            member -> connector.openLearner(loops.next(), member.address(), stream),
            () ->
                stream.refused(
                    new AlraiException(
                        ErrorCode.ALRAI_NODE_UNAVAILABLE, "it is no member any more")));
    return stream;
  }
}
