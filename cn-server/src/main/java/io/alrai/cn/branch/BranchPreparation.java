package io.alrai.cn.branch;

import io.alrai.cn.settings.SentText;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.TextEncoding;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings a branch into the state that a statement needs: settings and current schema. Where that
 * may fail, the statement waits until it has succeeded, and has not run when it does not. Event
 * loop only.
 */
public final class BranchPreparation {
  private BranchPreparation() {}

  /** Queues what is needed; sends nothing yet. An empty schema leaves the current one. */
  public static void queue(Branch branch, SessionSettings settings, String schema) {
    BranchState state = branch.state();
    if (state.settings() != settings) {
      set(branch, settings);
    }
    if (!schema.isEmpty() && !state.schema().equals(schema)) {
      if (TextEncoding.isAscii(schema) || SentText.readsUtf8(settings)) {
        choose(branch, schema);
      } else {
        // a mysqld reads the name in character_set_client too
        set(branch, SentText.inUtf8(settings));
        choose(branch, schema);
        set(branch, settings);
      }
    }
  }

  private static void choose(Branch branch, String schema) {
    BranchState state = branch.state();
    state.schema(schema);
    ByteBuf chosen = Commands.initDb(ByteBufAllocator.DEFAULT, schema);
    if (state.choseBefore(schema)) {
      branch.send(chosen, ReplyKind.STATUS, guard(branch));
    } else {
      branch.require(chosen, ReplyKind.STATUS);
    }
  }

  private static void set(Branch branch, SessionSettings settings) {
    BranchState state = branch.state();
    SessionSettings before = (SessionSettings) state.settings();
    Sql set = settings.difference(before);
    if (before != null && !TextEncoding.isAscii(set.text()) && !SentText.readsUtf8(before)) {
      set(branch, SentText.inUtf8(before));
      set = settings.difference((SessionSettings) state.settings());
    }
    state.settings(settings);
    if (!set.isEmpty()) {
      branch.require(Commands.query(ByteBufAllocator.DEFAULT, set), ReplyKind.STATUS);
    }
  }

  /**
   * Flushes what is queued and waits until no reply is outstanding.
   *
   * @param idle called with null, or with how the branch broke
   */
  public static void whenIdle(Branch branch, Consumer<@Nullable AlraiException> idle) {
    if (!branch.busy()) {
      idle.accept(null);
      return;
    }
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.PING, new byte[0]),
        ReplyKind.STATUS,
        new StatusSink(idle));
    branch.flush();
  }

  /** A sink that closes the branch on an error. */
  public static ReplySink guard(Branch branch) {
    return new StatusSink(error -> {
      if (error != null) {
        branch.close();
      }
    });
  }
}
