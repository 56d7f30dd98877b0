package io.alrai.cn.process;

import io.alrai.dn.backend.FakeReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What fake DNs answer to texts, by how these begin, and what was sent to them, in its order. Any
 * thread; replies are given before statements run.
 */
public final class ScriptedReplies implements Function<String, Optional<FakeReply>> {
  private final Map<String, Supplier<FakeReply>> replies = new HashMap<>();
  private final ConcurrentLinkedQueue<String> sent = new ConcurrentLinkedQueue<>();

  /** Texts that begin so are answered so from now on. */
  public ScriptedReplies put(String beginning, Supplier<FakeReply> reply) {
    replies.put(beginning, reply);
    return this;
  }

  @Override
  public Optional<FakeReply> apply(String sql) {
    sent.add(sql);
    return replies.entrySet().stream()
        .filter(known -> sql.startsWith(known.getKey()))
        .findFirst()
        .map(known -> known.getValue().get());
  }

  /** All that was sent. */
  public List<String> sent() {
    return List.copyOf(sent);
  }

  /** What was sent and begins so. */
  public List<String> sent(String beginning) {
    return sent.stream().filter(sql -> sql.startsWith(beginning)).toList();
  }

  /** Forgets what was sent. */
  public void clearSent() {
    sent.clear();
  }
}
