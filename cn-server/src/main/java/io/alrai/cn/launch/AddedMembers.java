package io.alrai.cn.launch;

import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Members that were added to a cluster that runs: the process of each is started when its
 * configuration appears, and ended when that goes, as those are that the cluster began with. On a
 * thread of its own.
 */
final class AddedMembers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AddedMembers.class);
  private static final long LOOK_MILLIS = 500;

  private final Path directory;
  private final Map<String, KeptRole> kept = new HashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private final RoleGroup gms;
  private final List<RoleGroup> first;
  private final Set<String> removed = new HashSet<>();

  /**
   * Those of a cluster.
   *
   * @param gms its nodes of the GMS that run
   * @param members loggers and agents that run; all of these, too, end when their configurations go
   */
  AddedMembers(Path directory, RoleGroup gms, List<RoleGroup> members) {
    this.directory = directory;
    this.gms = gms;
    List<RoleGroup> all = new ArrayList<>(members);
    all.add(gms);
    this.first = List.copyOf(all);
  }

  /** Begins to look. */
  AddedMembers start() {
    Thread.ofVirtual().name("members").start(this::run);
    return this;
  }

  private void run() {
    try {
      do {
        try {
          look();
        } catch (RuntimeException e) {
          log.error("{}: its members are not looked at", directory, e);
        }
      } while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kept.values().forEach(KeptRole::close);
      ended.complete(null);
    }
  }

  private void look() throws InterruptedException {
    List<RoleConfig> roles;
    try {
      roles =
          MemberRoles.all(directory).stream()
              .filter(MemberRoles::joins)
              .sorted(
                  Comparator.comparing(role -> !MemberRoles.isLogger(role))) // they vote soonest
              .toList();
    } catch (AlraiException | IOException e) {
      log.warn("{} cannot be read: {}", directory.resolve("etc"), e.toString());
      return;
    }
    List<RoleConfig> ofGms;
    try {
      ofGms = GmsRoles.files(directory);
    } catch (AlraiException e) {
      log.warn("the nodes of the GMS are not looked at: {}", e.sentence());
      return;
    }
    Set<String> gone = new HashSet<>(kept.keySet());
    for (RoleConfig role : roles) {
      if (!gone.remove(role.node()) && !role.isDropped()) {
        begin(role, MemberRoles.isLogger(role) ? "logger" : "dn");
      }
    }
    for (RoleConfig role : ofGms) {
      if (!gms.names().contains(role.node())
          && !gone.remove(role.node())
          && !GmsRoles.isDropped(role)) {
        begin(role, "gms");
      }
    }
    for (RoleGroup group : first) {
      group.only(group.names().stream().filter(this::isRemoved).toList()).close();
    }
    for (String name : gone) {
      log.info("{} was removed and ends", name);
      KeptRole last = kept.remove(name);
      if (last != null) {
        last.close();
      }
    }
  }

  /** Whether one of the first members has just lost its configuration. */
  private boolean isRemoved(String name) {
    return Files.notExists(ProcessCluster.configOf(directory, name)) && removed.add(name);
  }

  private void begin(RoleConfig role, String command) throws InterruptedException {
    KeptRole begun =
        KeptRole.of(
            directory, role.node(), command, ProcessCluster.configOf(directory, role.node()));
    begun.startOrRetry().ifPresent(refused -> log.error("{}: {}", role.node(), refused.sentence()));
    kept.put(role.node(), begun); // what could not even be launched is tried again
  }

  @Override
  public void close() {
    closing.countDown();
    ended.join();
  }
}
