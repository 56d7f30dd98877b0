package io.alrai.cn.leader;

import io.alrai.cn.system.DnGroups;
import io.alrai.cn.system.MemberAnswer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.thread.Pause;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Zones;
import io.alrai.gms.api.node.ComputeNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the leaders of groups back into the primary zone: after a failover, as soon as its member
 * follows again closely. One CN does it, the one whose name is first; if two think so, the second
 * finds that the member leads already. One thread of its own.
 */
public final class PrimaryZone implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PrimaryZone.class);

  private static final long LOOK_MILLIS = 2_000;

  /** More lag would keep writes waiting. */
  private static final long MOST_LAG_MILLIS = 1_000;

  /**
   * In so many looks in a row a member must follow closely, as one that has just come may go again.
   */
  private static final int LOOKS = 3;

  /** How long a group stays as it is after a change that failed. */
  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final NodeId self;
  private final Supplier<Catalog> catalog;
  private final Supplier<DnGroups> groups;
  private final LongSupplier nanos;
  private final LongSupplier wallMillis;
  private final Map<DnId, Fit> fit = new HashMap<>();
  private final Map<DnId, Long> failedNanos = new HashMap<>();
  private volatile boolean closed;

  /** A member that has followed closely in so many looks. */
  private record Fit(String member, int looks) {}

  /**
   * Sees to the primary zone at one CN.
   *
   * @param nanos monotonic time
   * @param wallMillis milliseconds since 1970
   */
  public PrimaryZone(
      NodeId self,
      Supplier<Catalog> catalog,
      Supplier<DnGroups> groups,
      LongSupplier nanos,
      LongSupplier wallMillis) {
    this.self = self;
    this.catalog = catalog;
    this.groups = groups;
    this.nanos = nanos;
    this.wallMillis = wallMillis;
  }

  /** Looks every two seconds until it is closed. */
  public PrimaryZone start() {
    Thread.ofVirtual().name("primary-zone").start(this::run);
    return this;
  }

  private void run() {
    while (!closed) {
      try {
        look();
      } catch (AlraiException e) {
        log.warn("nobody could see to it that the primary zone leads: {}", e.sentence());
      } catch (RuntimeException e) {
        log.error("nobody could see to it that the primary zone leads", e);
      }
      Pause.ofMillis(LOOK_MILLIS);
    }
  }

  /** Asks the members once, if there is a primary zone and this CN is to. */
  void look() {
    Catalog now = catalog.get();
    String zone = Zones.primary(now);
    if (zone.isEmpty() || !isFirst(now)) {
      fit.clear();
      return;
    }
    DnGroups all = groups.get();
    all.dns()
        .forEach((dn, members) -> {
          if (members.names().size() > 1 && !hasJustFailed(dn)) {
            look(dn, members, all, zone);
          }
        });
  }

  /** CNs that are gone stay in the catalog. */
  private boolean isFirst(Catalog now) {
    return now.computeNodes().stream()
        .filter(cn -> cn.id().equals(self) || cn.leaseUntilMillis() > wallMillis.getAsLong())
        .map(ComputeNode::id)
        .min(Comparator.comparing(NodeId::name))
        .filter(self::equals)
        .isPresent();
  }

  private boolean hasJustFailed(DnId dn) {
    Long failed = failedNanos.get(dn);
    return failed != null && nanos.getAsLong() - failed < AGAIN_NANOS;
  }

  private void look(DnId dn, DnMembers members, DnGroups all, String zone) {
    List<MemberAnswer> answers = MemberAnswer.ask(members);
    Optional<String> wanted =
        answers.stream().noneMatch(MemberAnswer::leads) || ZoneLeaders.isLedIn(answers, all, zone)
            ? Optional.empty()
            : ZoneLeaders.fittest(answers, all, zone).filter(name -> isClose(answers, name));
    if (wanted.isEmpty()) {
      fit.remove(dn);
      return;
    }
    Fit before = fit.get(dn);
    String name = wanted.get();
    int looks = before != null && before.member().equals(name) ? before.looks() + 1 : 1;
    if (looks < LOOKS) {
      fit.put(dn, new Fit(name, looks));
      return;
    }
    fit.remove(dn);
    try {
      LeaderChange.to(members, name);
      failedNanos.remove(dn);
      log.info("{} leads {} again, as it is in the primary zone {}", name, dn, zone);
    } catch (AlraiException e) {
      failedNanos.put(dn, nanos.getAsLong());
      log.warn(
          "{} in the primary zone {} does not lead {} yet, and is asked again in a minute: {}",
          name,
          zone,
          dn,
          e.sentence());
    }
  }

  private static boolean isClose(List<MemberAnswer> answers, String name) {
    return answers.stream()
        .flatMap(answer -> answer.status().stream())
        .filter(status -> status.name().equals(name))
        .mapToLong(MemberStatus::lagMillis)
        .allMatch(lag -> lag <= MOST_LAG_MILLIS);
  }

  @Override
  public void close() {
    closed = true;
  }
}
