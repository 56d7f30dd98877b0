package io.alrai.dn.ask;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.alrai.dn.RecordedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the release before this one says over connections for questions, and reads there. */
class PreviousRecordsTest {
  private static final byte[] SAID = {1, 2, -1};

  private static byte[] bytes(AskRecord record) {
    ByteBuf out = Unpooled.buffer();
    AskRecord.write(out, record);
    return ByteBufUtil.getBytes(out);
  }

  @Test
  void recordsAreWrittenAndReadAsByThatOne() {
    Map<String, byte[]> written = new LinkedHashMap<>();
    for (AskRecord record :
        List.of(
            new AskRecord.Question(7, List.of("cn-1", "größer"), SAID),
            new AskRecord.Reply(-1, SAID),
            new AskRecord.Asked(8, "cn-2", SAID),
            new AskRecord.Answer(9, "cn-3", new byte[0]),
            new AskRecord.Absent(10, "cn-4"))) {
      written.put(record.getClass().getSimpleName(), bytes(record));
    }
    RecordedBytes.compared("ask-records-18", written)
        .forEach((name, recorded) -> {
          AskRecord back =
              Objects.requireNonNull(AskRecord.next(Unpooled.wrappedBuffer(recorded)), name);
          assertArrayEquals(recorded, bytes(back), name);
        });
  }
}
