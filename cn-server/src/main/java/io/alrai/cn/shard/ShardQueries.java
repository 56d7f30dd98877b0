package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.branch.QueryKiller;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.branch.WarningsFetch;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Statements that the CN runs for itself, outside of any client's session: DDL steps, facts about
 * the servers. Blocking; virtual threads. Thread-safe.
 */
public final class ShardQueries {
  /** A mysqld that was started anew leaves as many stale connections as there were idle ones. */
  private static final int MOST_ATTEMPTS = 3;

  private final DnLinks links;
  private final EventLoop loop;
  private final SessionSettings settings;

  /**
   * Queries over the links.
   *
   * @param loop whose branches they use
   * @param settings of their branches
   */
  public ShardQueries(DnLinks links, EventLoop loop, SessionSettings settings) {
    this.links = links;
    this.loop = loop;
    this.settings = settings;
  }

  /** A copy with other session settings. */
  public ShardQueries withSettings(SessionSettings other) {
    return new ShardQueries(links, loop, other);
  }

  /** The links. */
  public DnLinks links() {
    return links;
  }

  /** Takes a branch on the loop of these queries; the taker runs there. */
  public void take(DnId dn, BackendAccount account, BranchTaker taker) {
    loop.execute(() -> links.take(dn, loop, account, "", taker));
  }

  /**
   * Starts a statement on a branch of its own.
   *
   * @param schema current schema; empty for any
   */
  public ShardCall start(DnId dn, BackendAccount account, String schema, Sql sql) {
    return start(dn, account, schema, ShardStatement.text(sql), reads(sql), (call, branch) -> call);
  }

  /** Starts the client's own text, which may be a write. */
  public ShardCall start(DnId dn, BackendAccount account, String schema, ShardStatement sql) {
    return start(dn, account, schema, sql, false, (call, branch) -> call);
  }

  /**
   * Starts a statement whose warnings count.
   *
   * @param warnings takes them before the call is complete; thread-safe
   */
  public ShardCall start(
      DnId dn, BackendAccount account, String schema, Sql sql, Queue<Condition> warnings) {
    return start(
        dn,
        account,
        schema,
        ShardStatement.text(sql),
        reads(sql),
        (call, branch) -> new WarningsFetch(call, branch, warnings));
  }

  private ShardCall start(
      DnId dn,
      BackendAccount account,
      String schema,
      ShardStatement statement,
      boolean reads,
      BiFunction<ShardCall, Branch, ReplySink> sink) {
    Launch launch = new Launch(dn, account, schema, statement, reads, sink);
    loop.execute(launch::run);
    return launch.call;
  }

  QueryKiller killer() {
    return new QueryKiller((dn, taker) -> links.take(dn, loop, BackendAccount.KILL, "", taker));
  }

  /** Whether a text may be run twice. */
  private static boolean reads(Sql sql) {
    return sql.text().regionMatches(true, 0, "SELECT ", 0, 7)
        || sql.text().regionMatches(true, 0, "SHOW ", 0, 5);
  }

  /** One statement on its way; on the loop. */
  private final class Launch implements BranchTaker {
    private final DnId dn;
    private final BackendAccount account;
    private final String schema;
    private final ShardStatement statement;
    private final boolean reads;
    private final BiFunction<ShardCall, Branch, ReplySink> sink;
    private final ShardCall call = new ShardCall(this::over);
    private final StatementEnding ending = new StatementEnding(loop, killer());
    private @Nullable Branch used;
    private int attempts = 1;

    Launch(
        DnId dn,
        BackendAccount account,
        String schema,
        ShardStatement statement,
        boolean reads,
        BiFunction<ShardCall, Branch, ReplySink> sink) {
      this.dn = dn;
      this.account = account;
      this.schema = schema;
      this.statement = statement;
      this.reads = reads;
      this.sink = sink;
      call.sentAgainBy(this::sendsAgain);
    }

    void run() {
      links.take(dn, loop, account, schema, this);
    }

    @Override
    public void taken(Branch branch) {
      if (ending.ended() || call.abandoned()) {
        branch.release();
        call.refuse(AlraiException.interruption());
        return;
      }
      used = branch;
      ending.runsOn(branch);
      call.runsOn(branch);
      call.endsBy(ending::end);
      BranchPreparation.queue(branch, settings, schema);
      statement.send(branch, sink.apply(call, branch));
    }

    @Override
    public void refused(AlraiException reason) {
      call.refuse(reason);
    }

    /** On another connection, where nothing was done on the one that was lost. */
    private boolean sendsAgain(AlraiException lost) {
      Branch stale = used;
      boolean harmless = lost.hasNotRun() || (lost.isLostConnection() && reads);
      if (stale == null
          || !harmless
          || attempts == MOST_ATTEMPTS
          || ending.ended()
          || call.discarded()) {
        return false;
      }
      attempts++;
      stale.close();
      used = null;
      run();
      return true;
    }

    private void over() {
      ending.over();
      Branch branch = used;
      if (branch != null) {
        branch.release();
      }
    }
  }

  /** Runs a statement without rows. */
  public OkPacket update(DnId dn, String schema, Sql sql) {
    try (ShardCall call = start(dn, BackendAccount.DATA, schema, sql)) {
      return call.update();
    }
  }

  /** Runs a statement without rows that is about the mysqld as a whole. */
  public OkPacket updateAsAdmin(DnId dn, Sql sql) {
    try (ShardCall call = start(dn, BackendAccount.ADMIN, "", sql)) {
      return call.update();
    }
  }

  /** Runs a query and gives all its rows as texts; NULL is null. */
  public List<List<@Nullable String>> query(DnId dn, String schema, Sql sql) {
    try (ShardCall call = start(dn, BackendAccount.DATA, schema, sql)) {
      return rows(call);
    }
  }

  /** All rows of a call's next result. */
  public static List<List<@Nullable String>> rows(ShardCall call) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    List<ColumnDefinition> columns = call.columns();
    byte[] row;
    while ((row = call.nextRow()) != null) {
      rows.add(texts(row, columns.size()));
    }
    call.status();
    return rows;
  }

  /** The values of a text protocol row, as UTF-8. */
  public static List<@Nullable String> texts(byte[] row, int columns) {
    return texts(row, columns, StandardCharsets.UTF_8);
  }

  /** The texts of a row in another character set. */
  public static List<@Nullable String> texts(byte[] row, int columns, Charset charset) {
    List<@Nullable String> values = new ArrayList<>(columns);
    for (byte @Nullable [] cell : cells(row, columns)) {
      values.add(cell == null ? null : new String(cell, charset));
    }
    return values;
  }

  /** The values of a text protocol row as they are; NULL is null. */
  public static List<byte @Nullable []> cells(byte[] row, int columns) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    List<byte @Nullable []> values = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      if (in.getUnsignedByte(in.readerIndex()) == 0xfb) {
        in.skipBytes(1);
        values.add(null);
      } else {
        values.add(Lenenc.readBytes(in));
      }
    }
    return values;
  }
}
