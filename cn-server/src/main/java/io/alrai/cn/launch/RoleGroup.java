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

  /**
   * Starts one after the other and returns when more than half of them serve. The others are tried
   * again until they do.
   *
   * @throws AlraiException why one of the others does not, when they are too many
   */
  void startMajority() throws InterruptedException {
    List<AlraiException> refusals = new ArrayList<>();
    for (KeptRole role : roles) {
      role.startOrRetry().ifPresent(refusals::add);
      if (refusals.size() * 2 >= roles.size()) {
        throw refusals.getFirst();
      }
    }
  }

  /**
   * Starts one after the other and returns when each serves or does not. Those that do not are
   * tried again until they do: the others do without.
   */
  void startOrRetry() throws InterruptedException {
    for (KeptRole role : roles) {
      role.startOrRetry();
    }
  }

  /** Stops all; returns when they are gone. */
  @Override
  public void close() {
    Closers.together(roles, KeptRole::close);
  }
}
