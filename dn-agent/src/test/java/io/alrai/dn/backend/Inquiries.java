package io.alrai.dn.backend;

import io.alrai.dn.backend.SilentReplies.Answerer;
import io.alrai.dn.backend.SilentReplies.Seen;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Inquiries whose answers a test waits for. */
public final class Inquiries {
  private final EventLoop loop;
  private final MysqldInquiry inquiry;

  /** Inquiries of the mysqld that the connector reaches. */
  public Inquiries(EventLoop loop, BackendConnector connector) {
    this.loop = loop;
    this.inquiry = new MysqldInquiry(loop, connector);
  }

  /** What the mysqld says of each connection that it knows; empty where it does not answer. */
  public Optional<Map<Long, String>> ask(List<Long> connections) throws Exception {
    CompletableFuture<Optional<Map<Long, Seen>>> answer = new CompletableFuture<>();
    CompletableFuture.runAsync(() -> inquiry.ask(connections, answerer(answer)), loop)
        .whenComplete((asked, error) -> {
          if (error != null) {
            answer.completeExceptionally(error);
          }
        });
    return answer.get(30, TimeUnit.SECONDS).map(Inquiries::names);
  }

  private static Map<Long, String> names(Map<Long, Seen> seen) {
    return seen.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().name()));
  }

  /** Gives the connection of its own back. */
  public void end() {
    loop.execute(inquiry::rest);
  }

  private static Answerer answerer(CompletableFuture<Optional<Map<Long, Seen>>> answer) {
    return new Answerer() {
      @Override
      public void seen(Map<Long, Seen> connections) {
        answer.complete(Optional.of(connections));
      }

      @Override
      public void unanswered() {
        answer.complete(Optional.empty());
      }

      @Override
      public void notAsked() {
        answer.completeExceptionally(new AssertionError("nobody was let in"));
      }
    };
  }
}
