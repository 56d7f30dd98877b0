package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.raft.ForcedLog;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LostMark;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.topology.LinkedNodes;
import io.alrai.gms.topology.LinkedNodes.Unaware;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent does where the catalog says that one member of its group was made the whole. The
 * others are dropped. That one waits until all know of it, then its process ends: at its next start
 * its log is made anew. Until then it is what it was. Where the catalog has lost that, as the GMS
 * was forced later, that one tells it, and the others put themselves into it again. On a thread of
 * its own.
 */
final class ForcedMember implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ForcedMember.class);
  private static final long LOOK_MILLIS = 200;

  /** How often it is said whom it waits for: each ten seconds. */
  private static final int TELL_EVERY = 50;

  private final DnId dn;
  private final GmsService gms;
  private final String name;

  /** As long as there is none it looks for nothing. */
  private volatile @Nullable Part part;

  private final CountDownLatch closed = new CountDownLatch(1);

  /** How often it has looked in vain; the thread's. */
  private int looks;

  /**
   * The version of the catalog that forced the group, when the member was put last; the thread's.
   */
  private long toldOf;

  /**
   * What looks for a member.
   *
   * @param put puts it into the catalog again
   */
  private record Part(GroupLog groupLog, Runnable put) {}

  private ForcedMember(DnId dn, GmsService gms, String name) {
    this.dn = dn;
    this.gms = gms;
    this.name = name;
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

  /**
   * Puts a member into the catalog. That may have lost that the group was forced, as the GMS was
   * later: it hears it again from the one that was made the group.
   *
   * @param generation of its log
   * @param survived whether it was made the group of that generation
   */
  static void register(
      GmsService gms, DnId dn, DnMember member, long generation, boolean survived) {
    gms.submit(new CatalogCommand.PutDnMember(dn, member, generation));
    if (survived && forced(gms.catalog(), dn).generation() < generation) {
      log.warn("{} tells the catalog again that it was made the group of {}", member.name(), dn);
      gms.submit(
          new CatalogCommand.ForceGroup(
              dn, generation, member.name(), ForcedGroup.Last.NONE, List.of(), 0));
    }
  }

  private static ForcedGroup forced(Catalog catalog, DnId dn) {
    return catalog.dataNode(dn).map(DataNode::forced).orElse(ForcedGroup.NONE);
  }

  /** Begins, without a member. */
  static ForcedMember watch(DnId dn, GmsService gms, String name) {
    ForcedMember watch = new ForcedMember(dn, gms, name);
    Thread.ofVirtual().name("forced-" + name).start(watch::run);
    return watch;
  }

  /**
   * Looks from now on; once. Any thread.
   *
   * @param put puts the member into the catalog again
   */
  void of(GroupLog groupLog, Runnable put) {
    part = new Part(groupLog, put);
  }

  private void run() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        Part now = part;
        if (now != null) {
          lookOrTryAgain(now);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever fails: nobody else hears it for this member. */
  private void lookOrTryAgain(Part now) {
    try {
      look(now, gms.catalog());
    } catch (RuntimeException e) {
      if (looks++ % TELL_EVERY == 0) {
        log.warn("{} cannot do what it hears of {}, and tries again", name, dn, e);
      }
    }
  }

  private void look(Part now, Catalog catalog) {
    ForcedGroup forced = forced(catalog, dn);
    long own = now.groupLog.generation();
    if (forced.generation() > own) {
      look(now.groupLog, catalog, forced);
      return;
    }
    boolean lost = forced.generation() < own;
    if (lost ? now.groupLog.forced().isPresent() : forced.version() != toldOf) {
      now.put.run();
      toldOf = forced.version();
    }
  }

  private void look(GroupLog groupLog, Catalog catalog, ForcedGroup forced) {
    if (!forced.survivor().equals(name)) {
      groupLog.supersede(why(dn, forced));
      return;
    }
    List<Unaware> unaware = LinkedNodes.unaware(catalog, forced);
    if (unaware.isEmpty()) {
      log.warn("{} ends and is started again, to be the group: {}", name, why(dn, forced));
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
