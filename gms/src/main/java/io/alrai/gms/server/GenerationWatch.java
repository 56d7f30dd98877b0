package io.alrai.gms.server;

import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.member.KnownGms;
import io.alrai.gms.member.MembersLook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node asks the others which generation they are of, on a thread of its own: nobody else can tell
 * it that one of them was made the group by force, as members of two groups do not speak. So does
 * one that was killed when it was dropped: its log may say that it is to go, and then Ratis lets it
 * wait in silence after each start. It also keeps who the nodes are.
 */
final class GenerationWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GenerationWatch.class);
  private static final long LOOK_MILLIS = 3_000;

  private final GmsConfig config;
  private final KnownGms known;
  private final Supplier<List<GmsPeer>> group;
  private final Consumer<String> onDropped;
  private final MembersLook look;
  private final OwnMembership membership;
  private final CountDownLatch closing = new CountDownLatch(1);

  /**
   * A node's.
   *
   * @param generation its own
   * @param group whom its log has as nodes
   * @param onDropped learns, once, why the group goes on without this node
   */
  GenerationWatch(
      GmsConfig config,
      ClusterSecret secret,
      long generation,
      Supplier<List<GmsPeer>> group,
      Consumer<String> onDropped) {
    this.config = config;
    Path members = new GroupDirectory(config.cluster(), config.dataDir()).members();
    this.known = new KnownGms(config.peers(), Optional.of(members));
    this.membership = new OwnMembership(config.node(), generation, config.joins(), known);
    this.group = group;
    this.onDropped = onDropped;
    this.look = new MembersLook(config.cluster(), secret);
  }

  GenerationWatch start() {
    Thread.ofVirtual().name("gms-generation-" + config.node()).start(this::run);
    return this;
  }

  private void run() {
    try {
      while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          if (isOver()) {
            return;
          }
        } catch (RuntimeException e) {
          log.warn("GMS node {} does not look at the others: {}", config.node(), e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      look.close();
    }
  }

  private boolean isOver() {
    List<GmsPeer> asked = new ArrayList<>(known.everybody());
    for (GmsPeer peer : group.get()) {
      if (!peer.address().isEmpty() && !asked.contains(peer)) {
        asked.add(peer);
      }
    }
    if (asked.size() < 2) {
      return false;
    }
    Optional<String> over = membership.look(look.ask(asked));
    over.ifPresent(onDropped);
    return over.isPresent();
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
