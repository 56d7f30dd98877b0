package io.alrai.cn.routine;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Gives a value to a variable as MySQL does it: as to a column of a temporary table that has the
 * variable's name and type, with a column's errors and warnings. Virtual threads.
 */
final class Conversion {
  private static final String TABLE = "`__alrai_assigned`";

  private final ShardQueries queries;
  private final Session session;

  Conversion(ShardQueries queries, Session session) {
    this.queries = queries;
    this.session = session;
  }

  /**
   * The value as the variable has it.
   *
   * @param warnings takes those of the assignment
   * @throws AlraiException 1264, 1265, 1366, 1406 and the like
   */
  LocalValue convert(LocalValue value, DeclaredType type, String name, List<Condition> warnings) {
    return type.converted(value).orElseGet(() -> asked(value, type, name, warnings));
  }

  private LocalValue asked(
      LocalValue value, DeclaredType type, String name, List<Condition> warnings) {
    String schema = session.schema();
    SideBranch side =
        SideBranch.open(queries, queries.links().any(), session.variables().ofCopies());
    boolean left = true;
    try {
      side.update(schema, Sql.of("DROP TEMPORARY TABLE IF EXISTS " + TABLE));
      side.update(
          schema,
          Sql.of("CREATE TEMPORARY TABLE " + TABLE + " (")
              .name(name)
              .words(" ")
              .written(type.text())
              .words(" NULL) COLLATE ")
              .name(type.collation()));
      Queue<Condition> told = new ConcurrentLinkedQueue<>();
      Sql insert =
          Sql.of("INSERT INTO " + TABLE + " VALUES (")
              .written(value.sql(session.variables().lexicalMode()))
              .words(")");
      try (ShardCall call = side.start(schema, ShardStatement.text(insert), told)) {
        call.update();
      } finally {
        warnings.addAll(told);
      }
      LocalValue made = type.made(read(side, schema));
      side.update(schema, Sql.of("DROP TEMPORARY TABLE " + TABLE));
      left = false;
      return made;
    } finally {
      if (left) {
        side.discard();
      } else {
        side.close();
      }
    }
  }

  private static LocalValue read(SideBranch side, String schema) {
    try (ShardCall call = side.start(schema, Sql.of("SELECT * FROM " + TABLE))) {
      List<ColumnDefinition> columns = call.columns();
      ByteBuf row = Unpooled.wrappedBuffer(Objects.requireNonNull(call.nextRow()));
      call.status();
      return row.getUnsignedByte(0) == 0xfb
          ? LocalValue.NULL
          : LocalValue.of(columns.getFirst(), Lenenc.readBytes(row));
    }
  }
}
