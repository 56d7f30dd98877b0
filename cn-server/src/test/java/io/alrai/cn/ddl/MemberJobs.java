package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.DnMember;
import io.alrai.optimizer.api.MembersStatement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A cluster of one DN, whose members a test adds and drops by statements. One test's thread. */
final class MemberJobs {
  private static final DnId DN = new DnId("dn-1");

  final DdlCluster cluster = new DdlCluster(1);
  final FakeMembers group = new FakeMembers();

  MemberJobs() {
    cluster.shards.members = Map.of(DN, group);
  }

  void register(String name, DnMember.Keeps keeps) {
    cluster.gms.submit(new CatalogCommand.PutDnMember(DN, new DnMember(name, "h:" + name, keeps)));
  }

  boolean registered(String name) {
    return cluster.gms.catalog().dataNode(DN).orElseThrow().members().stream()
        .anyMatch(each -> each.name().equals(name));
  }

  /** What a statement ends with: empty, or number and sentence of its error. */
  String error(MembersStatement.AsJob statement) {
    try {
      cluster.run(statement);
      return "";
    } catch (AlraiException e) {
      return e.errno() + " " + e.sentence();
    }
  }

  /**
   * Runs a statement as {@link #error} does, on a thread of its own.
   *
   * @param thread has it then
   */
  CompletableFuture<String> runs(MembersStatement.AsJob statement, Thread[] thread) {
    CompletableFuture<String> ended = new CompletableFuture<>();
    thread[0] = Thread.startVirtualThread(() -> ended.complete(error(statement)));
    return ended;
  }

  static String awaitEnd(CompletableFuture<String> ended) throws Exception {
    return ended.get(30, TimeUnit.SECONDS);
  }

  /** The job that began last. */
  DdlJob last() {
    return cluster.gms.catalog().jobs().values().stream()
        .max((a, b) -> Long.compare(a.id(), b.id()))
        .orElseThrow();
  }
}
