package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.clock.WallTime;
import io.alrai.dn.link.AskedReplies;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.dn.xa.RealNode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kept replies of an agent in another process: two sides over TCP, without a mysqld. */
final class RemoteRepliesTest {
  private static final DnId DN = new DnId("dn-1");
  private static final ClusterSecret SECRET = new ClusterSecret("open sesame, but at more length");
  private static final String NAMES = "a'`%_. \u00e4";

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = (EventLoop) loops.iterator().next();
  private final OkServer mysqld = new OkServer(DN, loops, command -> {});
  private final FakeViews views = new FakeViews();
  private final FakeReservation reservation = new FakeReservation();
  private final Kept kept = new Kept();
  private final AgentServer server =
      new AgentServer(
          DN, SECRET, clock(), new Peers(System::nanoTime), loops, ServerCounts.unseen());
  private InetSocketAddress address = InetSocketAddress.createUnresolved("nowhere", 0);
  private final RemoteDnLink link = link();

  private RemoteDnLink link() {
    return new RemoteDnLink(
        DN,
        () -> KnownMembers.alone(address),
        SECRET,
        new NodeId("cn-1"),
        clock(),
        loops,
        new PoolLimits(2, 4, Duration.ofSeconds(5).toNanos()),
        10_000);
  }

  /** What the agent keeps; a reply is true until its row's hash is touched. */
  private static final class Kept implements KeptReplies {
    private final Map<Long, byte[]> replies = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger suspended = new AtomicInteger();
    private volatile boolean unwatched;
    private volatile long shown;

    @Override
    public int find(ReplyKey read, long at, byte[] into) {
      asked.incrementAndGet();
      shown = at;
      byte[] reply = replies.get(read.hash());
      if (suspended.get() > 0) {
        return NOT_NOW;
      }
      if (unwatched || reply == null) {
        return unwatched ? UNWATCHED : MISSED;
      }
      System.arraycopy(reply, 0, into, 0, reply.length);
      return reply.length;
    }

    @Override
    public long visible() {
      return 40;
    }

    @Override
    public void keep(ReplyKey read, long at, byte[] reply, int length) {
      assertEquals(NAMES, read.table().schema());
      byte[] copy = new byte[length];
      System.arraycopy(reply, 0, copy, 0, length);
      replies.put(read.hash(), copy);
      shown = at;
    }

    @Override
    public CompletableFuture<Void> suspend(Branch locking) {
      suspended.incrementAndGet();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void resume(Branch locking) {
      suspended.decrementAndGet();
    }
  }

  /** As a text. */
  private interface Answer extends AskedReplies.Answer {
    void comes(String reply);

    @Override
    default boolean found(ByteBuf reply) {
      String text = reply.toString(StandardCharsets.UTF_8);
      comes(text);
      return text.startsWith("reply ");
    }

    @Override
    default void missed() {
      comes("missed");
    }
  }

  private static NodeClock clock() {
    return NodeClock.inMemory(new HybridLogicalClock(WallTime.system(), 500));
  }

  @BeforeEach
  void start() {
    address = server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    lead(7);
  }

  private void lead(long term) {
    server.lead(
        new Leading(
            term, mysqld, new FakeParticipant(), views, kept, new FakeLog(DN), reservation));
  }

  @AfterEach
  void stop() {
    link.close();
    server.close();
    mysqld.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private AskedReplies rows() {
    return link.rows().elsewhere().orElseThrow();
  }

  private static ReplyKey read(String text) {
    return read(text, "t");
  }

  /** With the same hash for all tables. */
  private static ReplyKey read(String text, String table) {
    ReplyKey key = new ReplyKey();
    key.begin(new KeyedTable(NAMES, table, List.of("a", "b")), 3);
    key.add(text);
    key.seal();
    return key;
  }

  private <T> T onLoop(Supplier<T> call) throws Exception {
    return CompletableFuture.supplyAsync(call, loop).get(20, TimeUnit.SECONDS);
  }

  /** The answer; empty where nobody was asked; "missed" otherwise. */
  private CompletableFuture<Optional<String>> asking(String text, long shown, long term)
      throws Exception {
    CompletableFuture<Optional<String>> done = new CompletableFuture<>();
    Answer answer = reply -> done.complete(Optional.of(reply));
    boolean asked = onLoop(() -> rows().ask(loop, read(text), shown, term, answer));
    if (!asked) {
      done.complete(Optional.empty());
    }
    return done;
  }

  private String ask(String text, long shown, long term) throws Exception {
    return asking(text, shown, term).get(20, TimeUnit.SECONDS).orElse("not asked");
  }

  private String ask(String text) throws Exception {
    return ask(text, KeptReplies.CURRENT, 0);
  }

  private void connected() throws Exception {
    Eventually.await("a connection", () -> onLoop(() -> rows().visible(loop)) >= 0);
  }

  private void keep(String text, long term) throws Exception {
    byte[] reply = ("reply to " + text).getBytes(StandardCharsets.UTF_8);
    onLoop(() -> {
      rows().keep(loop, read(text), 41, term, reply, reply.length);
      return true;
    });
  }

  private void keep(String text) throws Exception {
    connected();
    keep(text, onLoop(() -> rows().term(loop)));
  }

  @Test
  void whatIsKeptIsFoundWithItsStamp() throws Exception {
    assertEquals("not asked", ask("a"));
    keep("a");
    views.visible(99);
    assertEquals("reply to a", ask("a"));
    assertEquals(99, link.views().visibleStamp());
    assertEquals(40, onLoop(() -> rows().visible(loop)));
    assertEquals(KeptReplies.CURRENT, kept.shown);
    assertEquals("not asked", ask("b"), "it was never kept");
    assertEquals(1, kept.asked.get());
  }

  @Test
  void manyQuestionsOfOnePassAreAnsweredInTheirOrder() throws Exception {
    connected();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger right = new AtomicInteger();
    onLoop(() -> {
      for (int i = 0; i < 2_000; i++) {
        byte[] reply = ("reply to read " + i).getBytes(StandardCharsets.UTF_8);
        rows().keep(loop, read("read " + i), 41, 7, reply, reply.length);
      }
      for (int i = 0; i < 2_000; i++) {
        String text = "read " + i;
        Answer answer =
            reply -> {
              if (reply.equals("reply to " + text)) {
                right.incrementAndGet();
              }
            };
        if (rows().ask(loop, read(text), KeptReplies.CURRENT, 0, answer)) {
          asked.incrementAndGet();
        }
      }
      return true;
    });
    assertTrue(asked.get() > 1_800, asked + " asked");
    Eventually.await("all answers", () -> right.get() == asked.get());
  }

  @Test
  void whatWasAskedInVainIsNotAskedAgain() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a"));
    kept.replies.clear();
    assertEquals("missed", ask("a"));
    assertEquals(40, onLoop(() -> rows().visible(loop)));
    assertEquals("not asked", ask("a"));
  }

  @Test
  void whatIsNotUnderstoodIsNotAskedForAgain() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a"));
    kept.replies.replaceAll((hash, reply) -> "what?".getBytes(StandardCharsets.UTF_8));
    assertEquals("what?", ask("a"));
    assertEquals("not asked", ask("a"));
  }

  @Test
  void aQuestionThatCannotBeWrittenEndsTheConnectionAndShiftsNoAnswers() throws Exception {
    keep("a");
    keep("b");
    assertEquals("reply to a", ask("a"));
    assertEquals("reply to b", ask("b"));
    List<String> heard = new CopyOnWriteArrayList<>();
    onLoop(() -> {
      AskedReplies rows = rows();
      Answer first = reply -> heard.add("first: " + reply);
      assertTrue(rows.ask(loop, read("a"), KeptReplies.CURRENT, 0, first));
      ReplyKey tooLong = read("a", "t".repeat(300));
      Answer second = reply -> heard.add("second: " + reply);
      assertThrows(
          IllegalArgumentException.class,
          () -> rows.ask(loop, tooLong, KeptReplies.CURRENT, 0, second));
      Answer third = reply -> heard.add("third: " + reply);
      assertFalse(rows.ask(loop, read("b"), KeptReplies.CURRENT, 0, third));
      return true;
    });
    assertEquals(List.of("first: missed"), heard);
    connected();
    assertEquals("reply to b", ask("b"));
    assertEquals("reply to a", ask("a"));
    assertEquals(List.of("first: missed"), heard);
  }

  @Test
  void aReplyThatCannotBeWrittenEndsTheConnectionToo() throws Exception {
    keep("a");
    onLoop(() -> {
      AskedReplies rows = rows();
      ReplyKey tooLong = read("a", "t".repeat(300));
      assertThrows(
          IllegalArgumentException.class, () -> rows.keep(loop, tooLong, 41, 7, new byte[9], 9));
      assertEquals(KeptReplies.NOWHERE, rows.visible(loop));
      return true;
    });
    keep("a");
    assertEquals("reply to a", ask("a"));
  }

  @Test
  void whatIsTooMuchForOnePassIsLeftOut() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a"));
    byte[] reply = new byte[2_048];
    onLoop(() -> {
      for (int i = 0; i < 1_000; i++) {
        rows().keep(loop, read("read " + i), 41, 7, reply, reply.length);
      }
      Answer answer = text -> {};
      assertFalse(rows().ask(loop, read("a"), KeptReplies.CURRENT, 0, answer));
      return true;
    });
    connected();
    assertEquals("reply to a", ask("a"));
    assertEquals("not asked", ask("read 999"));
  }

  @Test
  void whoIsClosedOpensNothing() throws Exception {
    RemoteDnLink other = link();
    other.close();
    assertEquals(KeptReplies.NOWHERE, onLoop(() -> visible(other)));
    connected();
    assertEquals(KeptReplies.NOWHERE, onLoop(() -> visible(other)));
    AskedReplies closed = other.rows().elsewhere().orElseThrow();
    assertEquals(AgentChannel.UNKNOWN, onLoop(() -> closed.term(loop)));
  }

  private long visible(RemoteDnLink of) {
    return of.rows().elsewhere().orElseThrow().visible(loop);
  }

  @Test
  void aTableThatIsNotWatchedIsLeftAloneForAWhile() throws Exception {
    keep("a");
    keep("b");
    assertEquals("reply to b", ask("b"));
    kept.unwatched = true;
    CompletableFuture<Boolean> asksAtOnce = new CompletableFuture<>();
    Answer nobody = text -> {};
    Answer answer =
        text -> asksAtOnce.complete(rows().ask(loop, read("b"), KeptReplies.CURRENT, 0, nobody));
    assertTrue(onLoop(() -> rows().ask(loop, read("a"), KeptReplies.CURRENT, 0, answer)));
    assertFalse(asksAtOnce.get(20, TimeUnit.SECONDS));
    kept.unwatched = false;
    Eventually.await("another question", () -> ask("b").equals("reply to b"));
  }

  @Test
  void aPlaceOfAnotherLeadersLogMeansNothing() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a", 12, 7));
    assertEquals(12, kept.shown);
    assertEquals("missed", ask("a", 12, 6));
    kept.replies.clear();
    keep("a", 6);
    assertEquals("missed", ask("a", 12, 7));
    assertTrue(kept.replies.isEmpty());
    assertEquals("not asked", ask("a", 12, 7));
  }

  @Test
  void anAnswerWaitsUntilItsClockIsReserved() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a"));
    reservation.end();
    CompletableFuture<Optional<String>> answer = asking("a", KeptReplies.CURRENT, 0);
    reservation.awaitWaiting(1);
    assertFalse(answer.isDone());
    reservation.renew();
    assertEquals("reply to a", answer.get(20, TimeUnit.SECONDS).orElseThrow());
  }

  @Test
  void whoSaysNothingForLongIsNotWaitedFor() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a"));
    reservation.end();
    CompletableFuture<Optional<String>> answer = asking("a", KeptReplies.CURRENT, 0);
    assertEquals("missed", answer.get(2, TimeUnit.SECONDS).orElseThrow());
    reservation.renew();
    keep("a");
    assertEquals("reply to a", ask("a"));
  }

  @Test
  void theEndOfTheLeadEndsWhatWasAsked() throws Exception {
    keep("a");
    assertEquals("reply to a", ask("a"));
    reservation.end();
    CompletableFuture<Optional<String>> answer = asking("a", KeptReplies.CURRENT, 0);
    reservation.awaitWaiting(1);
    server.follow(LeaderHint.NOBODY);
    assertEquals("missed", answer.get(450, TimeUnit.MILLISECONDS).orElseThrow());
    reservation.renew();
    lead(8);
    connected();
    assertEquals(8, onLoop(() -> rows().term(loop)));
    assertEquals("missed", ask("a", 12, 7));
  }

  @Test
  void nothingIsFoundWhileABranchHasTablesLocked() throws Exception {
    keep("a");
    Branch branch = RealNode.take(link, loop);
    onLoop(() -> link.rows().suspend(branch)).get(20, TimeUnit.SECONDS);
    assertEquals("missed", ask("a"));
    onLoop(() -> {
      link.rows().resume(branch);
      return true;
    });
    Eventually.await("the end of it", () -> kept.suspended.get() == 0);
    assertEquals("reply to a", ask("a"), "that it was not found then said nothing about it");
    onLoop(() -> link.rows().suspend(branch)).get(20, TimeUnit.SECONDS);
    assertEquals(1, kept.suspended.get());
    loop.execute(branch::close);
    Eventually.await("the end of the branch", () -> kept.suspended.get() == 0);
    onLoop(() -> link.rows().suspend(branch)).get(20, TimeUnit.SECONDS);
    assertEquals(0, kept.suspended.get());
  }
}
