package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.kind.SealedKinds;
import io.alrai.dn.RecordedBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the release before this one has written to logs of groups, and reads there. */
class PreviousEntriesTest {
  private static final int MOST_BYTES = 1 << 14;

  @Test
  void entriesAreWrittenAndReadAsByThatOne() {
    Map<String, byte[]> written = new LinkedHashMap<>();
    List<GroupEntry> samples = new ArrayList<>();
    for (GroupEntry entry : EntryCodecTest.entries().toList()) {
      byte[] bytes = EntryCodec.encode(entry);
      if (bytes.length < MOST_BYTES) {
        written.put(written.size() + "-" + entry.getClass().getSimpleName(), bytes);
        samples.add(entry);
      }
    }
    assertEquals(
        Set.copyOf(SealedKinds.of(GroupEntry.class)),
        samples.stream().map(Object::getClass).collect(Collectors.toSet()));
    List<GroupEntry> back = new ArrayList<>();
    RecordedBytes.compared("group-entries-1", written)
        .values()
        .forEach(bytes -> back.add(EntryCodec.decode(ByteBuffer.wrap(bytes))));
    assertEquals(samples, back);
  }
}
