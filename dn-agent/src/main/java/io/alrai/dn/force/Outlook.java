package io.alrai.dn.force;

import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.GroupOutlook.Other;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.LastEntry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks all voters of a group for the last entries of their logs. Stateless. */
public final class Outlook {
  private Outlook() {}

  /**
   * As one member sees it; takes a second where others do not answer.
   *
   * @param self that member
   * @param writtenMillis about when its last entry was written
   */
  public static GroupOutlook of(String self, GroupLog log, long writtenMillis) {
    LastEntry last = log.last();
    List<CompletableFuture<Other>> asked =
        log.members().stream()
            .map(GroupMember::name)
            .filter(name -> !name.equals(self))
            .map(name -> ask(log, name))
            .toList();
    return new GroupOutlook(
        log.generation(),
        last.term(),
        last.index(),
        writtenMillis,
        asked.stream().map(CompletableFuture::join).toList());
  }

  private static CompletableFuture<Other> ask(GroupLog log, String name) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            LastEntry last = log.last(name);
            return new Other(name, true, last.term(), last.index());
          } catch (IOException silent) {
            return new Other(name, false, 0, -1);
          }
        },
        task -> Thread.ofVirtual().name("asks-" + name).start(task));
  }
}
