package io.alrai.cn.process;

import io.alrai.cn.config.GroupChoice;
import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.client.RaftGmsClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the catalog of which groups a logger has logs, and where, until all is heard, and hears the
 * limits of groups from it then: the GMS may be away, and the logger is of use without it. ALTER
 * SYSTEM ADD finds it there, and it is not started again without a log that it had. Where one
 * member was made a group it leaves that; where the catalog hears of that once more it tells it
 * again. On a thread of its own.
 */
final class LoggerNotice implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LoggerNotice.class);
  private static final long AGAIN_MILLIS = 1_000;
  private static final long LOOK_MILLIS = 200;

  /**
   * A log that is there.
   *
   * @param joins whether it waits to be added, or did
   */
  record Part(DnId dn, GroupConfig config, GroupLog groupLog, boolean joins) {
    private DnMember member() {
      return new DnMember(config.name(), config.own().address(), DnMember.Keeps.LOG);
    }

    /**
     * Whether the catalog may know it: agents make their DN known first, and one that was dropped
     * while it was away hears nothing of a leader before it hears that.
     */
    private boolean isDue(Catalog catalog) {
      return catalog.dataNode(dn).isPresent()
          && ForcedMember.later(catalog, dn, groupLog.generation()).isEmpty()
          && (groupLog.isMember() ? groupLog.leader().isPresent() : joins);
    }

    /** One member was made the group, which is never a logger. */
    private void leaveIfForced(Catalog catalog) {
      ForcedMember.later(catalog, dn, groupLog.generation())
          .ifPresent(node -> groupLog.supersede(ForcedMember.why(dn, node.forced())));
    }

    /** The version of the catalog that forced the group. */
    private long forcedIn(Catalog catalog) {
      return catalog.dataNode(dn).map(node -> node.forced().version()).orElse(0L);
    }

    private boolean isKnown(Catalog catalog) {
      Optional<DataNode> node = catalog.dataNode(dn);
      return node.filter(known -> known.members().contains(member())).isPresent();
    }
  }

  private final RoleConfig role;
  private final GroupLimits limits;
  private final CountDownLatch closed = new CountDownLatch(1);

  private final List<Part> all;

  /** What has not been heard; its thread's. */
  private final List<Part> untold;

  /** The {@link Part#forcedIn} of which the others were heard; its thread's. */
  private final Map<DnId, Long> told = new HashMap<>();

  private LoggerNotice(RoleConfig role, List<Part> parts, GroupLimits limits) {
    this.role = role;
    this.limits = limits;
    this.all = List.copyOf(parts);
    this.untold = new ArrayList<>(parts);
  }

  /** Begins to. */
  static LoggerNotice tell(RoleConfig role, List<Part> parts, GroupLimits limits) {
    LoggerNotice notice = new LoggerNotice(role, parts, limits);
    Thread.ofVirtual().name("tells-of-" + role.node()).start(notice::run);
    return notice;
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        try (RaftGmsClient gms =
            RaftGmsClient.connect(role.knownGms(), role.secret().open(), new Metrics())) {
          GroupChoice.follow(gms, limits);
          tellAll(gms);
        } catch (AlraiException e) {
          log.warn(
              "{} cannot tell the GMS that it is a member of {}: {}",
              role.node(),
              untold.stream().map(Part::dn).toList(),
              e.sentence());
        }
        if (closed.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Also hears of groups that go on without this logger; until it is closed. */
  private void tellAll(RaftGmsClient gms) throws InterruptedException {
    role.bears().tellZone(gms, role.node());
    do {
      for (Part part : all) {
        Catalog catalog = gms.catalog();
        part.leaveIfForced(catalog);
        Long before = told.get(part.dn());
        if (before != null && before != part.forcedIn(catalog)) {
          told.remove(part.dn());
          untold.add(part);
        }
      }
      for (Part part : List.copyOf(untold)) {
        Catalog catalog = gms.catalog();
        if (GroupLog.isDropped(part.config())) {
          untold.remove(part);
        } else if (part.isDue(catalog)) {
          if (!part.isKnown(catalog)) {
            gms.submit(
                new CatalogCommand.PutDnMember(
                    part.dn(), part.member(), part.groupLog().generation()));
          }
          untold.remove(part);
          told.put(part.dn(), part.forcedIn(catalog));
        }
      }
    } while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
