package io.alrai.cn.launch;

import io.alrai.cn.process.Closers;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.List;

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
   * @throws AlraiException why the first of the others does not, as soon as they are too many
   */
  void startAtLeast(int enough) throws InterruptedException {
    List<AlraiException> refusals = new ArrayList<>();
    for (KeptRole role : roles) {
      role.startOrRetry().ifPresent(refusals::add);
      if (roles.size() - refusals.size() < enough) {
        throw refusals.getFirst();
      }
    }
  }

  /** Stops all; returns when they are gone. */
  @Override
  public void close() {
    Closers.together(roles, KeptRole::close);
  }
}
