package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LogGauges;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** What is measured of a member of a group, when somebody looks. */
public final class MemberMetrics {
  private static final double MILLIS = 1e3;

  private final DnId dn;
  private final Metrics metrics;

  private MemberMetrics(DnId dn, Metrics metrics) {
    this.dn = dn;
    this.metrics = metrics;
  }

  /** Measures it from now on. */
  static void register(Member member, GroupLog groupLog, GroupView view, Supplier<Role> role) {
    MemberMetrics made = register(member.dn(), groupLog, member.context().metrics());
    made.now(Metric.MEMBER_LEADS, () -> role.get().leads() ? 1 : 0);
    made.now(Metric.MEMBER_SILENCE, () -> longest(groupLog).toMillis() / MILLIS);
    made.now(Metric.MEMBER_APPLIED, () -> view.lag().applied(groupLog.lastCommitted()));
    made.now(Metric.MEMBER_LAG, () -> role.get().leads() ? 0 : view.lag().millis() / MILLIS);
    made.now(Metric.MEMBER_RESERVED, () -> ahead(member, view.reserved()));
  }

  /** Measures from now on what there is of a member without a mysqld. */
  public static MemberMetrics register(DnId dn, GroupLog groupLog, Metrics metrics) {
    MemberMetrics made = new MemberMetrics(dn, metrics);
    LogGauges gauges = groupLog.gauges();
    made.now(Metric.MEMBER_TERM, gauges::term);
    made.metrics.counted(Metric.MEMBER_ELECTIONS, dn, gauges.elections());
    made.now(Metric.MEMBER_COMMITTED, groupLog::lastCommitted);
    made.now(Metric.MEMBER_LOG_BYTES, gauges::bytesOnDisk);
    return made;
  }

  private void now(Metric metric, DoubleSupplier source) {
    metrics.now(metric, dn, source);
  }

  private static Duration longest(GroupLog groupLog) {
    return groupLog.silences().values().stream().max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /** The group's clock to the wall time of this machine; less than nothing when nobody writes. */
  private static double ahead(Member member, HlcTimestamp reserved) {
    return (reserved.millis() - member.context().wallMillis().getAsLong()) / MILLIS;
  }
}
