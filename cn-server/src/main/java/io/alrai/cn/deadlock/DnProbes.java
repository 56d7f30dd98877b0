package io.alrai.cn.deadlock;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.id.DnId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Asks all DNs of a CN at the same time. */
final class DnProbes implements WaitSource, AutoCloseable {
  private final ShardQueries queries;
  private final SessionSettings settings;
  private final Map<DnId, DnProbe> probes = new ConcurrentHashMap<>();

  DnProbes(ShardQueries queries, SessionSettings settings) {
    this.queries = queries;
    this.settings = settings;
  }

  @Override
  public List<LockWait> waits() {
    return all(DnProbe::waits).stream().flatMap(List::stream).toList();
  }

  @Override
  public List<DnParties> parties() {
    return all(DnProbe::parties);
  }

  @Override
  public boolean kill(DnId dn, long connection) {
    return probe(dn).kill(connection).join();
  }

  private <T> List<T> all(Function<DnProbe, CompletableFuture<T>> question) {
    List<CompletableFuture<T>> asked =
        queries.links().dns().stream().map(this::probe).map(question).toList();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  private DnProbe probe(DnId dn) {
    return probes.computeIfAbsent(dn, one -> new DnProbe(queries, settings, one));
  }

  @Override
  public void close() {
    probes.values().forEach(DnProbe::close);
  }
}
