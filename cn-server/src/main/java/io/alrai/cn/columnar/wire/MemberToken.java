package io.alrai.cn.columnar.wire;

import io.alrai.common.secret.ClusterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.jspecify.annotations.Nullable;

/**
 * Lets members of the cluster in, and nobody else. The secret itself never travels.
 *
 * <pre>
 *  caller                               node
 *    nonce of the caller, its name -->
 *                                   <-- nonce of the node
 *    proof "columns-hello"          -->
 *                                   <-- proof "columns-welcome", token
 * </pre>
 *
 * The token stands for the caller in each call from then on. Each login gets one of its own, of
 * random bytes, which is void a minute after it was used last: whoever keeps a connection asks for
 * the node's state five times a second. It travels over a {@link MemberFlight} only, where nobody
 * hears it who could not log in himself. Thread-safe.
 */
@SuppressWarnings("deprecation") // of what replaces it nothing lets both sides prove themselves
public final class MemberToken implements ServerAuthHandler {
  static final String HELLO = "columns-hello";
  static final String WELCOME = "columns-welcome";

  /** After its last use. */
  static final long GOOD_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ClusterSecret secret;
  private final LongSupplier nanos;

  /** When each was used last. */
  private final Map<ByteBuffer, Long> used = new ConcurrentHashMap<>();

  /** For a node of the cluster with this secret. */
  public MemberToken(ClusterSecret secret) {
    this(secret, System::nanoTime);
  }

  MemberToken(ClusterSecret secret, LongSupplier nanos) {
    this.secret = secret;
    this.nanos = nanos;
  }

  @Override
  public boolean authenticate(ServerAuthSender outgoing, Iterator<byte[]> incoming) {
    byte[] hello = incoming.next();
    if (hello.length <= ClusterSecret.NONCE_BYTES) {
      return false;
    }
    byte[] callers = Arrays.copyOf(hello, ClusterSecret.NONCE_BYTES);
    String name = name(hello);
    byte[] own = ClusterSecret.nonce();
    outgoing.send(own);
    if (!ClusterSecret.same(secret.proof(HELLO, own, callers, name), incoming.next())) {
      return false;
    }
    byte[] token = token(name);
    outgoing.send(
        ByteBuffer.allocate(ClusterSecret.NONCE_BYTES + token.length)
            .put(secret.proof(WELCOME, callers, own, name))
            .put(token)
            .array());
    return true;
  }

  private static String name(byte[] bytes) {
    return new String(
        bytes,
        ClusterSecret.NONCE_BYTES,
        bytes.length - ClusterSecret.NONCE_BYTES,
        StandardCharsets.UTF_8);
  }

  private byte[] token(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] token =
        ByteBuffer.allocate(ClusterSecret.NONCE_BYTES + text.length)
            .put(ClusterSecret.nonce())
            .put(text)
            .array();
    long now = nanos.getAsLong();
    used.values().removeIf(last -> now - last > GOOD_NANOS);
    used.put(ByteBuffer.wrap(token), now);
    return token;
  }

  @Override
  public Optional<String> isValid(byte @Nullable [] token) {
    if (token == null || token.length <= ClusterSecret.NONCE_BYTES) {
      return Optional.empty();
    }
    long now = nanos.getAsLong();
    Long last =
        used.computeIfPresent(
            ByteBuffer.wrap(token), (known, before) -> now - before > GOOD_NANOS ? null : now);
    return last == null ? Optional.empty() : Optional.of(name(token));
  }
}
