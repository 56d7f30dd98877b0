package io.alrai.cn.columnar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // close() of a client may be interrupted
class MemberTokenTest {
  private static final NodeId CN = new NodeId("cn-1");
  private final ClusterSecret secret = new ClusterSecret("of this cluster, and long");
  private final BufferAllocator allocator = new RootAllocator(16 << 20);
  private FlightServer server;

  @BeforeEach
  void start() throws Exception {
    server = serve(0);
  }

  private FlightServer serve(int port) throws Exception {
    NoOpFlightProducer producer =
        new NoOpFlightProducer() {
          @Override
          public void doAction(CallContext call, Action action, StreamListener<Result> listener) {
            listener.onNext(new Result(call.peerIdentity().getBytes()));
            listener.onCompleted();
          }
        };
    return new MemberFlight(secret).server(allocator, "127.0.0.1", port, producer).build().start();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    allocator.close();
  }

  private FlightClient client() {
    return new MemberFlight(secret).client(allocator, "127.0.0.1", server.getPort());
  }

  private static String who(FlightClient client) {
    return new String(
        client
            .doAction(new Action("who"), CallOptions.timeout(10, TimeUnit.SECONDS))
            .next()
            .getBody());
  }

  private static void refused(FlightClient client) {
    FlightRuntimeException refusal = assertThrows(FlightRuntimeException.class, () -> who(client));
    assertEquals(FlightStatusCode.UNAUTHENTICATED, refusal.status().code());
  }

  @Test
  void membersAreLetIn() throws Exception {
    try (FlightClient client = client()) {
      client.authenticate(new MemberProof(secret, CN), CallOptions.timeout(10, TimeUnit.SECONDS));
      assertEquals("cn-1", who(client));
    }
  }

  /** Neither in the clear nor by another cluster's certificate is anybody asked anything. */
  @Test
  void strangersAreNotTalkedTo() throws Exception {
    ClusterSecret other = new ClusterSecret("of another one, and long");
    try (FlightClient plain =
            FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", server.getPort()))
                .build();
        FlightClient strange =
            new MemberFlight(other).client(allocator, "127.0.0.1", server.getPort())) {
      for (FlightClient client : List.of(plain, strange)) {
        FlightRuntimeException refusal =
            assertThrows(FlightRuntimeException.class, () -> who(client));
        assertEquals(FlightStatusCode.UNAVAILABLE, refusal.status().code());
      }
    }
  }

  @Test
  void nobodyElseIs() throws Exception {
    try (FlightClient client = client()) {
      refused(client);
    }
    try (FlightClient client = client()) {
      assertThrows(
          RuntimeException.class,
          () ->
              client.authenticate(
                  new MemberProof(new ClusterSecret("of another one, and long"), CN),
                  CallOptions.timeout(10, TimeUnit.SECONDS)));
      refused(client);
    }
  }

  /** One login's, on the node's side. */
  @SuppressWarnings("deprecation") // see MemberToken: Flight has no other way that asks twice
  private byte[] login(MemberToken node, NodeId who) {
    byte[] callers = ClusterSecret.nonce();
    String name = who.name();
    List<byte[]> sent = new ArrayList<>();
    ServerAuthHandler.ServerAuthSender sender =
        new ServerAuthHandler.ServerAuthSender() {
          @Override
          public void send(byte[] payload) {
            sent.add(payload);
          }

          @Override
          public void onError(Throwable cause) {
            throw new AssertionError(cause);
          }
        };
    byte[] text = name.getBytes();
    byte[] hello = ByteBuffer.allocate(callers.length + text.length).put(callers).put(text).array();
    Iterator<byte[]> incoming =
        new Iterator<>() {
          private int at;

          @Override
          public boolean hasNext() {
            return at < 2;
          }

          @Override
          public byte[] next() {
            return at++ == 0
                ? hello
                : secret.proof(MemberToken.HELLO, sent.getFirst(), callers, name);
          }
        };
    assertTrue(node.authenticate(sender, incoming));
    byte[] welcome = sent.getLast();
    return Arrays.copyOfRange(welcome, ClusterSecret.NONCE_BYTES, welcome.length);
  }

  @Test
  void eachLoginHasItsOwnTokenWhichIsVoidAMinuteAfterItsLastUse() {
    AtomicLong now = new AtomicLong(5);
    MemberToken node = new MemberToken(secret, now::get);
    byte[] first = login(node, CN);
    byte[] second = login(node, CN);
    assertFalse(Arrays.equals(first, second));
    byte[] other = login(node, new NodeId("cn-2"));
    for (int i = 0; i < 5; i++) {
      now.addAndGet(MemberToken.GOOD_NANOS);
      assertEquals(Optional.of("cn-1"), node.isValid(first));
    }
    assertEquals(Optional.empty(), node.isValid(second));
    assertEquals(Optional.empty(), node.isValid(other));
    byte[] renamed = first.clone();
    renamed[renamed.length - 1] = '2';
    assertEquals(Optional.empty(), node.isValid(renamed));
    assertEquals(Optional.empty(), new MemberToken(secret, now::get).isValid(first));
    now.addAndGet(MemberToken.GOOD_NANOS + 1);
    assertEquals(Optional.empty(), node.isValid(first));
    assertEquals(Optional.empty(), node.isValid(new byte[40]));
  }

  @Test
  void aTokenIsGoodForOneLifeOfTheNode() throws Exception {
    try (FlightClient client = client()) {
      client.authenticate(new MemberProof(secret, CN), CallOptions.timeout(10, TimeUnit.SECONDS));
      assertEquals("cn-1", who(client));
      int port = server.getPort();
      server.close();
      server = serve(port);
      refused(client);
    }
  }
}
