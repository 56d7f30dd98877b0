package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.process.ScriptedReplies;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.link.AskedReplies;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.rows.LoggedRows;
import io.alrai.dn.rows.RowCache;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads of one row that agents' kept replies answer, from the client's bytes to its bytes. */
class KeptRepliesTest {
  private static final String READ = "SELECT id, v FROM t WHERE id = 1";
  private static final List<String> ONE_ROW =
      List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|10", "end");

  private final FakeCn cn =
      new FakeCn("CREATE TABLE t (id bigint NOT NULL, v bigint, PRIMARY KEY (id))");
  private final FakeClient client = cn.client();
  private final ScriptedReplies replies = new ScriptedReplies();
  private final Agent agent = new Agent();
  private int commits = 1;

  KeptRepliesTest() {
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", "10"));
    cn.dns.replies = replies;
    cn.kept = agent;
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  /** An agent that watches every table that it is asked for. */
  private static final class Agent implements KeptReplies, RowCache.Wants {
    private final LongAdder found = new LongAdder();
    private final RowCache cache = new RowCache(0, this, found);
    private KeyedTable asked = new KeyedTable("", "", List.of());
    private boolean suspended;

    @Override
    public void watched(KeyedTable table) {
      asked = table;
      cache.watch(table, cache.statements().orElseThrow());
    }

    @Override
    public void laterVisible() {}

    @Override
    public int find(ReplyKey read, long shown, byte[] into) {
      return suspended ? -1 : cache.find(read, shown, into);
    }

    @Override
    public long visible() {
      return cache.visible();
    }

    @Override
    public void keep(ReplyKey read, long shown, byte[] reply, int length) {
      cache.keep(read, shown, reply, length);
    }

    @Override
    public CompletableFuture<Void> suspend(Branch locking) {
      suspended = true;
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void resume(Branch locking) {
      suspended = false;
    }
  }

  /** That agent in another process: the test says when it answers. */
  private final class Elsewhere implements KeptReplies, AskedReplies {
    private final ArrayDeque<Runnable> answers = new ArrayDeque<>();
    private final Set<Long> given = new HashSet<>();
    private final byte[] into = new byte[4_096];
    private UnaryOperator<ByteBuf> tells = reply -> reply;

    @Override
    public Optional<AskedReplies> elsewhere() {
      return Optional.of(this);
    }

    @Override
    public boolean ask(EventLoop loop, ReplyKey read, long shown, long term, Answer answer) {
      if (!given.contains(read.hash())) {
        return false;
      }
      long hash = read.hash();
      int length = agent.find(read, shown, into);
      ByteBuf reply = Unpooled.copiedBuffer(into, 0, Math.max(0, length));
      answers.add(() -> {
        if (length < 0) {
          given.remove(hash);
          answer.missed();
        } else if (!answer.found(tells.apply(reply))) {
          given.remove(hash);
        }
      });
      return true;
    }

    @Override
    public long visible(EventLoop loop) {
      return agent.visible();
    }

    @Override
    public long term(EventLoop loop) {
      return 0;
    }

    @Override
    public void keep(
        EventLoop loop, ReplyKey read, long shown, long term, byte[] reply, int length) {
      given.add(read.hash());
      agent.keep(read, shown, reply, length);
    }

    @Override
    public int find(ReplyKey read, long shown, byte[] into) {
      return MISSED;
    }

    @Override
    public long visible() {
      return NOWHERE;
    }

    @Override
    public void keep(ReplyKey read, long shown, byte[] reply, int length) {}

    @Override
    public CompletableFuture<Void> suspend(Branch locking) {
      return agent.suspend(locking);
    }

    @Override
    public void resume(Branch locking) {
      agent.resume(locking);
    }
  }

  /** A commit that updates these rows becomes visible. */
  private void committed(Integer... ids) {
    commits++;
    agent.cache.arrived(
        LoggedRows.update(
            commits,
            new TransactionKind.Commit(),
            new TableName(agent.asked.schema(), agent.asked.table()),
            1,
            List.of(ids)));
    agent.cache.visible(LoggedRows.end(commits).ordinal());
  }

  /** How often the mysqld is asked by a read whose packets are these. */
  private int asks(FakeClient of, String sql, List<String> packets) {
    int before = replies.sent(sql).size();
    of.query(sql);
    assertEquals(packets, of.answer());
    return replies.sent(sql).size() - before;
  }

  private int asks() {
    return asks(client, READ, ONE_ROW);
  }

  /** The first read lets the table be watched, and is kept. */
  private void keep() {
    assertEquals(1, asks());
  }

  @Test
  void aReadThatIsKeptAsksNobody() {
    keep();
    int branches = cn.dns.branches.size();
    assertEquals(0, asks());
    assertEquals(branches, cn.dns.branches.size(), "a branch was taken");
    assertEquals(1, agent.found.sum());
  }

  @Test
  void theBytesAreThoseOfTheMysqldsReply() {
    client.query(READ);
    byte[] asked = client.bytes();
    client.query(READ);
    assertArrayEquals(asked, client.bytes());
    client.query(READ);
    assertArrayEquals(asked, client.bytes());
    assertEquals(2, agent.found.sum());
  }

  @Test
  void whatTheLastResultWasIsAsAfterAnyOther() {
    keep();
    asks();
    assertEquals(1, client.connection.session().last().foundRows());
    assertEquals(-1, client.connection.session().last().rowCount());
  }

  @Test
  void aReplyThatCameInPiecesIsKeptWhole() {
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", "10").inPieces(3));
    keep();
    assertEquals(0, asks());
  }

  @Test
  void otherRowsAndOtherTextsAreAsked() {
    keep();
    assertEquals(1, asks(client, "SELECT id, v FROM t WHERE id = 2", ONE_ROW));
    assertEquals(1, asks(client, "SELECT id, v FROM t WHERE id =  1", ONE_ROW));
    assertEquals(0, asks());
  }

  @Test
  void aRowThatWasWrittenIsAskedAgainAndOthersAreNot() {
    keep();
    committed(2);
    assertEquals(0, asks());
    committed(1);
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", "11"));
    List<String> changed = List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|11", "end");
    assertEquals(1, asks(client, READ, changed));
    assertEquals(0, asks(client, READ, changed));
  }

  @Test
  void aRowThatIsWrittenWhileItIsReadIsNotKept() {
    keep();
    committed(1);
    replies.put(
        "SELECT id, v",
        () -> {
          committed(1);
          return FakeReply.rows("shop", 2, "1", "10");
        });
    assertEquals(1, asks());
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", "10"));
    assertEquals(1, asks());
    assertEquals(0, asks());
  }

  @Test
  void anErrorIsNotKept() {
    keep();
    committed(1);
    replies.put("SELECT id, v", () -> FakeReply.error(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    List<String> error = List.of("err 3024 too long");
    assertEquals(1, asks(client, READ, error));
    assertEquals(1, asks(client, READ, error));
  }

  @Test
  void aReplyWithWarningsIsNotKept() {
    keep();
    committed(1);
    replies.put(
        "SELECT id, v",
        () -> FakeReply.empty().columns("shop", 2).row("1", "10").end(1, ServerStatus.AUTOCOMMIT));
    List<String> warned =
        List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|10", "end, 1 warnings");
    assertEquals(1, asks(client, READ, warned));
    assertEquals(1, asks(client, READ, warned));
  }

  @Test
  void aLongReplyIsNotKept() {
    String text = "x".repeat(2_048);
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", text));
    List<String> whole = List.of("2 columns", "shop.t.c0", "shop.t.c1", "row 1|" + text, "end");
    for (int i = 0; i < 3; i++) {
      assertEquals(1, asks(client, READ, whole));
    }
  }

  @Test
  void aReplyThatBrokeIsNotKept() {
    keep();
    committed(1);
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", "10").breaksBefore(2));
    client.query(READ);
    assertTrue(client.answer().getFirst().startsWith("err 2013 "));
    replies.put("SELECT id, v", () -> FakeReply.rows("shop", 2, "1", "10"));
    assertEquals(1, asks());
    assertEquals(0, asks());
  }

  @Test
  void anOlderClientGetsWhatAnotherLetBeKeptInItsOwnForm() {
    FakeClient older = cn.client(Capability.PROTOCOL_41);
    cn.kept = KeptReplies.NONE;
    older.query(READ);
    byte[] asked = older.bytes();
    cn.kept = agent;
    keep();
    older.query(READ);
    assertArrayEquals(asked, older.bytes());
    assertEquals(1, agent.found.sum());
  }

  @Test
  void aSessionWithOtherVariablesIsAsked() {
    keep();
    FakeClient other = cn.client();
    assertEquals(0, asks(other, READ, ONE_ROW));
    other.query("SET sql_mode = 'ANSI'");
    other.answer();
    assertEquals(1, asks(other, READ, ONE_ROW));
    assertEquals(0, asks());
  }

  @Test
  void aReadAmongSeveralStatementsSaysThatMoreFollow() {
    keep();
    FakeClient several =
        cn.client(Capability.DEPRECATE_EOF | Capability.PROTOCOL_41 | Capability.MULTI_STATEMENTS);
    cn.kept = KeptReplies.NONE;
    several.query(READ + ";" + READ);
    byte[] asked = several.bytes();
    cn.kept = agent;
    several.query(READ + ";" + READ);
    assertArrayEquals(asked, several.bytes());
    assertEquals(2, agent.found.sum());
  }

  @Test
  void whereAgentsFindNothingForNowTheMysqldIsAsked() {
    keep();
    agent.suspended = true;
    assertEquals(1, asks());
    agent.suspended = false;
    assertEquals(0, asks());
  }

  @Test
  void withoutTheCacheEveryReadIsAsked() {
    keep();
    client.connection.session().cnSettings().rowCache(false);
    assertEquals(1, asks());
    client.connection.session().cnSettings().rowCache(true);
    assertEquals(0, asks());
  }

  @Test
  void withinATransactionWhatItsViewShowsIsFound() {
    keep();
    client.query("BEGIN");
    client.packets();
    assertEquals(1, asks(), "its view is opened");
    cn.dns.branches.forEach(branch -> branch.state().shown(agent.visible()));
    committed(2);
    assertEquals(0, asks());
    committed(1);
    assertEquals(1, asks(), "what is kept now may be newer than the view");
    client.query("COMMIT");
    assertEquals(List.of("ok 0"), client.answer());
  }

  @Test
  void readsThatLockAndWritesAreAsked() {
    keep();
    String locking = READ + " FOR UPDATE";
    assertEquals(1, asks(client, locking, ONE_ROW));
    assertEquals(1, asks(client, locking, ONE_ROW));
  }

  /** An agent elsewhere that keeps the reply. */
  private Elsewhere elsewhere() {
    Elsewhere other = new Elsewhere();
    cn.kept = other;
    assertEquals(1, asks(), "the table is watched from now on");
    answered(other);
    assertEquals(1, asks());
    answered(other);
    assertEquals(1, agent.found.sum());
    return other;
  }

  private void answered(Elsewhere by) {
    client.query(READ);
    assertEquals(List.of(), client.packets());
    by.answers.remove().run();
    assertEquals(ONE_ROW, client.answer());
  }

  @Test
  void anAgentElsewhereIsAskedAndAnswersLater() {
    Elsewhere other = elsewhere();
    int before = replies.sent(READ).size();
    answered(other);
    assertEquals(2, agent.found.sum());
    assertEquals(before, replies.sent(READ).size());
  }

  @Test
  void whereItHasNoneTheMysqldIsAskedAndTheNextReplyIsKept() {
    Elsewhere other = elsewhere();
    committed(1);
    int before = replies.sent(READ).size();
    answered(other);
    assertEquals(1, replies.sent(READ).size() - before);
    assertEquals(1, asks(), "what was asked for in vain is not kept at once");
    answered(other);
    assertEquals(2, replies.sent(READ).size() - before);
  }

  private void notUnderstood(Elsewhere by, UnaryOperator<ByteBuf> tells) {
    int before = replies.sent(READ).size();
    by.tells = tells;
    answered(by);
    assertEquals(1, replies.sent(READ).size() - before);
    assertEquals(Set.of(), by.given);
    by.tells = reply -> reply;
    assertEquals(1, asks());
  }

  @Test
  void aReplyThatIsNotUnderstoodIsReadAtTheMysqld() {
    Elsewhere other = elsewhere();
    notUnderstood(other, reply -> Unpooled.EMPTY_BUFFER);
    notUnderstood(other, reply -> reply.setByte(0, 99));
    notUnderstood(other, reply -> reply.setByte(0, PacketKind.COLUMN_COUNT.ordinal()));
    notUnderstood(other, reply -> reply.setMediumLE(1, 1_000));
    notUnderstood(other, reply -> reply.setMediumLE(1, 0));
    notUnderstood(other, reply -> reply.slice(0, reply.readableBytes() - 1));
    notUnderstood(other, reply -> Unpooled.copiedBuffer(reply, reply));
    answered(other);
  }

  @Test
  void aReplyThatIsLongerThanAnyIsReadAtTheMysqld() {
    Elsewhere other = elsewhere();
    notUnderstood(other, reply -> Unpooled.wrappedBuffer(new byte[2_049]));
    answered(other);
  }

  @Test
  void anAnswerForAClientThatHasLeftIsDropped() {
    Elsewhere other = elsewhere();
    client.query(READ);
    client.vanish();
    other.answers.remove().run();
    FakeClient next = cn.client();
    next.query(READ);
    other.answers.remove().run();
    assertEquals(ONE_ROW, next.answer());
  }

  @Test
  void aCommandThatFollowsWaitsForTheAnswer() {
    Elsewhere other = elsewhere();
    client.query(READ);
    client.query("SELECT id, v FROM t WHERE id = 2");
    assertEquals(List.of(), client.packets());
    other.answers.remove().run();
    assertEquals(ONE_ROW, client.answer());
    assertEquals(ONE_ROW, client.answer());
  }
}
