package io.alrai.dn.rpc.tls;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberKeys;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.RareNotice;
import io.alrai.common.thread.BoundedThreads;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadPoolExecutor;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 with certificates on both sides, on connections of the envelope. An agent greets in the
 * clear as ever, with a CHALLENGE in which nothing is secret; what comes first from the caller
 * decides. A caller with TLS does not wait for the greeting.
 *
 * <pre>
 * caller                      agent
 *    |------ ClientHello ------->|      both at once
 *    | <------- CHALLENGE -------|      in the clear, the last that is
 *    | <====== handshake =======>|      both show certificates
 *    |========= HELLO ==========>|      and so on, encrypted: the proofs are as without TLS
 * </pre>
 *
 * A CHALLENGE that somebody changed on the way makes a HELLO that proves nothing. Thread-safe.
 */
public final class EnvelopeTls {
  private static final Logger log = LoggerFactory.getLogger(EnvelopeTls.class);
  private static final String PROTOCOL = "TLSv1.3";
  private static final int MOST_WAITING = 4_096;

  /** After this a connection begins with certificates again, instead of a session's ticket. */
  private static final long SESSION_SECONDS = 3_600;

  private final DnId dn;
  private final MemberTls.Mode mode;
  private final RareNotice refused;
  private final @Nullable SslContext server;
  private final @Nullable SslContext client;
  private final ThreadPoolExecutor handshakes = steps();

  /** Makes handlers for either end of connections to the agents of a DN. */
  public EnvelopeTls(DnId dn, ClusterSecret secret) {
    this.dn = dn;
    this.mode = secret.tls().mode();
    this.refused =
        new RareNotice(
            sentence -> log.warn("connections of the agent of {}: {}", dn, sentence),
            System::nanoTime);
    if (mode == MemberTls.Mode.NO) {
      server = null;
      client = null;
      return;
    }
    MemberKeys keys = secret.keys();
    try {
      server =
          SslContextBuilder.forServer(keys.keyManager())
              .clientAuth(ClientAuth.REQUIRE)
              .sslProvider(SslProvider.JDK)
              .trustManager(keys.members(refused))
              .protocols(PROTOCOL)
              .sessionTimeout(SESSION_SECONDS)
              .build();
      client =
          SslContextBuilder.forClient()
              .keyManager(keys.keyManager())
              .sslProvider(SslProvider.JDK)
              .trustManager(keys.members(refused))
              .endpointIdentificationAlgorithm(null) // members are equals, wherever they are
              .protocols(PROTOCOL)
              .sessionTimeout(SESSION_SECONDS)
              .build();
    } catch (SSLException e) {
      throw new IllegalStateException("every Java has TLS 1.3", e);
    }
  }

  /** Signs and verifies beside the event loops; its threads end when there is nothing to do. */
  private static ThreadPoolExecutor steps() {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    return BoundedThreads.named("member-tls-", threads, MOST_WAITING);
  }

  /**
   * For an agent's end: before its session is added. Costs a connection that stays in the clear
   * nothing once its caller has spoken.
   */
  public void accept(Channel channel) {
    channel.pipeline().addLast(new AgentDoor(this));
  }

  /** For a caller's end, which is connected: before the one who says HELLO is added. */
  public void call(Channel channel, InetSocketAddress place) {
    SslContext context = client;
    if (context == null || !mode.calls()) {
      return;
    }
    SslHandler handler =
        context.newHandler(
            channel.alloc(), place.getHostString(), place.getPort(), step -> step(channel, step));
    handler.setHandshakeTimeoutMillis(0); // the caller has a bound for the whole beginning
    channel.pipeline().addLast(new ClearGreeting(dn, place, handler), handler);
  }

  /** What encrypts a connection that was accepted; null where there is no TLS. */
  @Nullable SslHandler accepted(Channel channel) {
    SslContext context = server;
    if (context == null) {
      return null;
    }
    SslHandler handler = context.newHandler(channel.alloc(), step -> step(channel, step));
    handler.setHandshakeTimeoutMillis(0); // the session has a bound for its caller's HELLO
    handler
        .handshakeFuture()
        .addListener(done -> {
          if (done.cause() instanceof SSLException reason) {
            warn("TLS with " + channel.remoteAddress() + " failed: " + reason.getMessage());
          }
        });
    return handler;
  }

  private void step(Channel channel, Runnable step) {
    handshakes.execute(() -> {
      if (channel.isOpen()) { // else its time was up while it waited
        step.run();
      }
    });
  }

  /** Why a caller in the clear is refused; null: it is not. */
  @Nullable AlraiException againstClear() {
    return mode == MemberTls.Mode.REQUIRE
        ? new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "the agent of "
                + dn
                + " takes TLS only (its member.tls is require), and this node calls in the clear:"
                + " set member.tls on it, to prefer or require")
        : null;
  }

  /** Why a caller with TLS is refused where there is none. */
  AlraiException againstTls() {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        "the agent of "
            + dn
            + " has no TLS (its member.tls is no), and this node calls with it: set member.tls of"
            + " the agent to accept, then to prefer, or that of this node to accept");
  }

  /** Logs that somebody was refused, from time to time. Any thread. */
  void warn(String sentence) {
    refused.accept(sentence);
  }

  /** How a connection broke, for one to whom it matters that it was TLS. */
  public static String broken(DnId dn, Throwable reason) {
    return reason instanceof SSLException
        ? "TLS with the agent of "
            + dn
            + " failed, its log may say why (member.tls, certificates): "
            + reason.getMessage()
        : "the connection to the agent of " + dn + " broke: " + reason;
  }
}
