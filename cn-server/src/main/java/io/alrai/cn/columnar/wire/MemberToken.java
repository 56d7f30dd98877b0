package io.alrai.cn.columnar.wire;

import io.alrai.common.secret.ClusterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
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
 * The token stands for the caller in each call from then on; it is good for as long as the node's
 * process lives. It must travel over a {@link MemberFlight} only, as whoever has it is the caller.
 * Thread-safe.
 */
@SuppressWarnings("deprecation") // of what replaces it nothing lets both sides prove themselves
public final class MemberToken implements ServerAuthHandler {
  static final String HELLO = "columns-hello";
  static final String WELCOME = "columns-welcome";
  private static final String TOKEN = "columns-token";

  private final ClusterSecret secret;
  private final byte[] life = ClusterSecret.nonce();

  /** For a node of the cluster with this secret. */
  public MemberToken(ClusterSecret secret) {
    this.secret = secret;
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
    return ByteBuffer.allocate(ClusterSecret.NONCE_BYTES + text.length)
        .put(secret.proof(TOKEN, life, life, name))
        .put(text)
        .array();
  }

  @Override
  public Optional<String> isValid(byte @Nullable [] token) {
    if (token == null || token.length <= ClusterSecret.NONCE_BYTES) {
      return Optional.empty();
    }
    String name = name(token);
    return ClusterSecret.same(token(name), token) ? Optional.of(name) : Optional.empty();
  }
}
