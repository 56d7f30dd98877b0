package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.raft.ForcedLog;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LostMark;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.topology.LinkedNodes;
import io.alrai.gms.topology.LinkedNodes.Unaware;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent does where the catalog says that one member of its group was made the whole. The
 * others are dropped. That one waits until all know of it, then its process ends: at its next start
 * its log is made anew. Until then it is what it was. On a thread of its own.
 */
final class ForcedMember implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ForcedMember.class);
  private static final long LOOK_MILLIS = 200;

  /** How often it is said whom it waits for: each ten seconds. */
  private static final int TELL_EVERY = 50;

  private final DnId dn;
  private final GmsService gms;
  private final String name;
  private final GroupLog groupLog;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** How often it has looked in vain; the thread's. */
  private int looks;

  private ForcedMember(DnId dn, GmsService gms, String name, GroupLog groupLog) {
    this.dn = dn;
    this.gms = gms;
    this.name = name;
    this.groupLog = groupLog;
  }

  /**
   * How a member begins, before its log is opened.
   *
   * @return how it takes part
   * @throws AlraiException where it was dropped, or its log cannot be made anew
   */
  static GroupConfig begin(Catalog catalog, DnId dn, GroupConfig config) {
    OptionalLong own = GroupLog.generation(config);
    if (own.isEmpty()) {
      return config.of(catalog.dataNode(dn).map(node -> node.forced().generation()).orElse(0L));
    }
    Optional<DataNode> later = later(catalog, dn, own.getAsLong());
    if (later.isEmpty()) {
      return config;
    }
    ForcedGroup forced = later.get().forced();
    if (!forced.survivor().equals(config.name())) {
      GroupLog.drop(config);
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, config.name() + " was dropped: " + why(dn, forced));
    }
    if (!later.get().awaitsSurvivor()) {
      LostMark.write(config);
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          why(dn, forced)
              + "; it was that already, and "
              + config.directory()
              + " is as it was before: bring back the directory that it had since, or drop the"
              + " member and add another one");
    }
    if (LinkedNodes.unaware(catalog, forced).isEmpty()) {
      try {
        ForcedLog.make(config, forced.generation(), forced.sentence(), done -> {});
      } catch (IOException e) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            config.name() + " cannot become the group of " + dn + ", and is what it was: " + e,
            e);
      }
    }
    return config;
  }

  /** The DN, where its group was forced in a later generation than that. */
  static Optional<DataNode> later(Catalog catalog, DnId dn, long generation) {
    return catalog.dataNode(dn).filter(node -> node.forced().generation() > generation);
  }

  /** For people. */
  static String why(DnId dn, ForcedGroup forced) {
    return forced.survivor() + " is the group of " + dn + ", " + forced.sentence();
  }

  /** Looks from now on. */
  static ForcedMember watch(DnId dn, GmsService gms, String name, GroupLog groupLog) {
    ForcedMember watch = new ForcedMember(dn, gms, name, groupLog);
    Thread.ofVirtual().name("forced-" + name).start(watch::run);
    return watch;
  }

  private void run() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        Catalog catalog = gms.catalog();
        later(catalog, dn, groupLog.generation()).ifPresent(node -> look(catalog, node));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Catalog catalog, DataNode node) {
    if (!node.forced().survivor().equals(name)) {
      groupLog.supersede(why(dn, node.forced()));
      return;
    }
    List<Unaware> unaware = LinkedNodes.unaware(catalog, node.forced());
    if (unaware.isEmpty()) {
      log.warn("{} ends and is started again, to be the group: {}", name, why(dn, node.forced()));
      Runtime.getRuntime().halt(LoggerProcess.FAILED);
    }
    if (looks++ % TELL_EVERY == 0) {
      log.warn(
          "{} is to be the group of {}, and waits until {} have said that they know, or somebody"
              + " says that they have ended",
          name,
          dn,
          unaware.stream().map(Unaware::name).toList());
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
