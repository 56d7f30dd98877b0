package io.alrai.cn.launch;

import io.alrai.cn.process.Closers;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Processes of one kind, which do not need each other: they stop at the same time. */
final class RoleGroup implements AutoCloseable {
  private final List<KeptRole> roles;

  RoleGroup(List<KeptRole> roles) {
    this.roles = List.copyOf(roles);
  }

  /**
   * Starts one after the other, so that many at once do not starve each other, and returns when all
   * serve.
   *
   * @throws AlraiException why one does not; the others may run then, until they are closed
   */
  void start() throws InterruptedException {
    for (KeptRole role : roles) {
      role.start();
    }
  }

  /** The names of all. */
  List<String> names() {
    return roles.stream().map(KeptRole::name).toList();
  }

  /** Those of these names. They are closed with the others. */
  RoleGroup only(List<String> names) {
    return new RoleGroup(roles.stream().filter(role -> names.contains(role.name())).toList());
  }

  /** As {@link #startAtLeast}, more than half of them. */
  void startMajority() throws InterruptedException {
    startAtLeast(roles.size() / 2 + 1);
  }

  /**
   * Starts one after the other and returns when each serves or does not, and enough of them do. The
   * others are tried again until they do.
   *
   * @param enough how many the cluster cannot do without
   * @return whether all serve
   * @throws AlraiException why the first of the others does not, as soon as they are too many
   */
  boolean startAtLeast(int enough) throws InterruptedException {
    List<AlraiException> refusals = new ArrayList<>();
    for (KeptRole role : roles) {
      role.startOrRetry().ifPresent(refusals::add);
      require(enough, refusals);
    }
    return refusals.isEmpty();
  }

  /** As {@link #startAtLeast}, all at once: each may have to wait for another one. */
  void startTogether(int enough) throws InterruptedException {
    List<Future<Optional<AlraiException>>> starts = new ArrayList<>();
    List<AlraiException> refusals = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (KeptRole role : roles) {
        starts.add(threads.submit(role::startOrRetry));
      }
      for (Future<Optional<AlraiException>> start : starts) {
        start.get().ifPresent(refusals::add);
      }
    } catch (ExecutionException e) {
      throw AlraiException.causeOf(e);
    }
    require(enough, refusals);
  }

  private void require(int enough, List<AlraiException> refusals) {
    if (roles.size() - refusals.size() < enough) {
      throw refusals.getFirst();
    }
  }

  /** Stops all; returns when they are gone. */
  @Override
  public void close() {
    Closers.together(roles, KeptRole::close);
  }
}
