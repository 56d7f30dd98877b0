package io.alrai.cn.shard;

import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.cn.session.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
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

  /** The same under other session settings. */
  public ShardQueries withSettings(SessionSettings other) {
    return new ShardQueries(links, loop, other);
  }

  /** The links. */
  public DnLinks links() {
    return links;
  }

  /** Takes a branch on the loop of these queries; the taker runs there. */
  public void take(DnId dn, BackendAccount account, BranchTaker taker) {
    loop.execute(() -> links.link(dn).take(loop, account, "", taker));
  }

  /**
   * Starts a statement on a branch of its own.
   *
   * @param schema current schema; empty for any
   */
  public ShardCall start(DnId dn, BackendAccount account, String schema, byte[] sql) {
    return start(dn, account, schema, sql, (call, branch) -> call);
  }

  /**
   * The same for a statement whose warnings count.
   *
   * @param warnings takes them before the call is complete; thread-safe
   */
  public ShardCall start(
      DnId dn, BackendAccount account, String schema, byte[] sql, Queue<Condition> warnings) {
    return start(
        dn, account, schema, sql, (call, branch) -> new WarningsFetch(call, branch, warnings));
  }

  private ShardCall start(
      DnId dn,
      BackendAccount account,
      String schema,
      byte[] sql,
      BiFunction<ShardCall, Branch, ReplySink> sink) {
    Branch[] used = new Branch[1];
    ShardCall call =
        new ShardCall(() -> {
          if (used[0] != null) {
            used[0].release();
          }
        });
    loop.execute(() ->
        links
            .link(dn)
            .take(
                loop,
                account,
                schema,
                new BranchTaker() {
                  @Override
                  public void taken(Branch branch) {
                    used[0] = branch;
                    call.runsOn(branch);
                    BranchPreparation.queue(branch, settings, schema);
                    branch.send(
                        Commands.query(ByteBufAllocator.DEFAULT, sql),
                        ReplyKind.RESULTS,
                        sink.apply(call, branch));
                    branch.flush();
                  }

                  @Override
                  public void refused(AlraiException reason) {
                    call.refuse(reason);
                  }
                }));
    return call;
  }

  /** Runs a statement without rows. */
  public OkPacket update(DnId dn, String schema, String sql) {
    try (ShardCall call =
        start(dn, BackendAccount.DATA, schema, sql.getBytes(StandardCharsets.UTF_8))) {
      return call.update();
    }
  }

  /** Runs a query and gives all its rows as texts; NULL is null. */
  public List<List<@Nullable String>> query(DnId dn, String schema, String sql) {
    try (ShardCall call =
        start(dn, BackendAccount.DATA, schema, sql.getBytes(StandardCharsets.UTF_8))) {
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

  /** The values of a text protocol row. */
  public static List<@Nullable String> texts(byte[] row, int columns) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    List<@Nullable String> values = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      if (in.getUnsignedByte(in.readerIndex()) == 0xfb) {
        in.skipBytes(1);
        values.add(null);
      } else {
        values.add(new String(Lenenc.readBytes(in), StandardCharsets.UTF_8));
      }
    }
    return values;
  }
}
