package io.alrai.gms.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.gms.catalog.Samples;
import io.alrai.gms.command.GmsCodec;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A snapshot of the release before this one is read, and written in the same bytes. */
class PreviousSnapshotTest {
  private static final Path RECORDED = Path.of("src/test/resources/formats/gms-snapshot-1.txt");

  @Test
  void itIsReadAndWrittenAsByThatOne() throws IOException {
    GmsCodec codec = new GmsCodec();
    ReplicatedState state =
        ReplicatedState.EMPTY
            .apply(new LogEntry("c:1", new LogCommand.Change(Samples.createSchema("shop"))), 1)
            .next()
            .apply(new LogEntry("c:2", new LogCommand.ReserveNumbers("auto:1", 5)), 2)
            .next()
            .apply(new LogEntry("", new LogCommand.Change(Samples.renew(Samples.CN1, 1, 1))), 3)
            .next();
    byte[] written = codec.encode(state);
    if (Boolean.getBoolean("formats.record")) {
      Files.write(RECORDED, written);
    }
    byte[] recorded = Files.readAllBytes(RECORDED);
    assertEquals(
        new String(recorded, StandardCharsets.UTF_8), new String(written, StandardCharsets.UTF_8));
    assertEquals(state, codec.decode(recorded, ReplicatedState.class));
  }
}
