package io.alrai.cn.shard;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.ShardCall;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBufAllocator;

/** A statement as a DN gets it. Event loop only. */
public interface ShardStatement {
  /** Sends it on a branch that has the session's settings and schema, and flushes. */
  void send(Branch branch, ReplySink reply);

  /** Whether it is one short text, sent by itself, that others may go in front of. */
  boolean isSmallText();

  /** Whether its rows come in the form of STMT_EXECUTE. */
  boolean binaryRows();

  /** The schema to run under where the branch has none; empty for any. */
  String home();

  /** A text whose rows have all digits of their FLOATs, as {@link ShardCall} gives them. */
  static ShardStatement wholeFloats(byte[] sql, String home) {
    return new WholeFloats(sql, home);
  }

  /** A text of the CN's, in a character set that has its names; whatever the current schema is. */
  static ShardStatement text(Sql sql) {
    return new OwnText(sql);
  }

  /**
   * A statement that the CN made with a list of values.
   *
   * @param head has names
   * @param rest in the branch's character set
   */
  static ShardStatement text(Sql head, byte[] rest) {
    return new OwnText(head, rest);
  }

  /** Text in the branch's character set, whatever the current schema is. */
  static ShardStatement text(byte[] sql) {
    return text(sql, "");
  }

  /** Text in the branch's character set. */
  static ShardStatement text(byte[] sql, String home) {
    return new ShardStatement() {
      @Override
      public String home() {
        return home;
      }

      @Override
      public boolean isSmallText() {
        return home.isEmpty() && sql.length < Commands.SMALL;
      }

      @Override
      public void send(Branch branch, ReplySink reply) {
        branch.send(Commands.query(ByteBufAllocator.DEFAULT, sql), ReplyKind.RESULTS, reply);
        branch.flush();
      }

      @Override
      public boolean binaryRows() {
        return false;
      }
    };
  }
}
