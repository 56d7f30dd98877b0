package io.alrai.cn.ask;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.id.DnId;
import io.alrai.dn.ask.AskLine;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A CN's connections for questions, one to the agent of each DN. Thread-safe. */
public final class AskLines implements AutoCloseable {
  private final Supplier<Map<DnId, AskLine.Opener>> dns;
  private final EventLoop loop;
  private final ClusterAsk asks;

  @GuardedBy("this")
  private final TreeMap<String, AskLine> lines = new TreeMap<>();

  @GuardedBy("this")
  private boolean closed;

  public AskLines(Supplier<Map<DnId, AskLine.Opener>> dns, EventLoop loop, ClusterAsk asks) {
    this.dns = dns;
    this.loop = loop;
    this.asks = asks;
    follow();
    asks.over(this::ways);
  }

  /** Opens those to DNs that are new. */
  public synchronized void follow() {
    if (!closed) {
      dns.get()
          .forEach((dn, opener) ->
              lines.computeIfAbsent(dn.name(), name -> new AskLine(opener, loop, asks)));
    }
  }

  /** In the order of the DNs' names. */
  private synchronized List<AskRound.Way> ways() {
    return lines.values().stream().<AskRound.Way>map(line -> line::ask).toList();
  }

  @Override
  public synchronized void close() {
    closed = true;
    lines.values().forEach(AskLine::close);
  }
}
