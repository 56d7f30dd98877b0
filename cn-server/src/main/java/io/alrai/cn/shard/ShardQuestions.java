package io.alrai.cn.shard;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.route.Questions;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.dn.link.BackendAccount;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Small questions to any mysqld over the CN's links. Blocking; thread-safe. */
public final class ShardQuestions implements Questions {
  private final ShardQueries queries;

  /** Questions over these queries. */
  public ShardQuestions(ShardQueries queries) {
    this.queries = queries;
  }

  @Override
  public List<List<Optional<byte[]>>> ask(Sql sql) {
    List<List<Optional<byte[]>>> rows = new ArrayList<>();
    try (ShardCall call = queries.start(queries.links().any(), BackendAccount.DATA, "", sql)) {
      List<ColumnDefinition> columns = call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        rows.add(values(row, columns.size()));
      }
      call.status();
    }
    return rows;
  }

  private static List<Optional<byte[]>> values(byte[] row, int columns) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    List<Optional<byte[]>> values = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      if (in.getUnsignedByte(in.readerIndex()) == 0xfb) {
        in.skipBytes(1);
        values.add(Optional.empty());
      } else {
        values.add(Optional.of(Lenenc.readBytes(in)));
      }
    }
    return values;
  }
}
