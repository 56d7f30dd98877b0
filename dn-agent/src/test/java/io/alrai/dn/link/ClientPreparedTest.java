package io.alrai.dn.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.ClientXid;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClientPreparedTest {
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 812, 8, new DnId("dn-1"));
  private static final ClientXid XID = new ClientXid(4711, "a;b,c%", "\u0000\u00ff");

  private static ClientPrepared over(List<DnId> participants) {
    return new ClientPrepared(ID, participants, new HlcTimestamp(123), XID.text());
  }

  private static ClientPrepared readBack(ClientPrepared entry) {
    String[] values = entry.insert().text().split("x'|'", -1);
    byte[] column = HexFormat.of().parseHex(values[3]);
    return ClientPrepared.of(ID.gtrid(), new String(column, StandardCharsets.US_ASCII));
  }

  @Test
  void isReadBackAsItWasWritten() {
    for (List<DnId> dns : List.of(List.of(new DnId("dn-1"), new DnId("dn-2")), List.<DnId>of())) {
      ClientPrepared entry = over(dns);
      assertEquals(entry, readBack(entry));
      assertEquals(XID, ClientXid.parse(readBack(entry).xid()));
    }
  }

  @Test
  void isFoundByItsXidAlone() {
    assertTrue(
        ClientPrepared.select(XID.text()).text().endsWith("LIKE '%;4711:613b622c6325:00ff'"));
    assertEquals("0x613B622C632500FF", XID.hexData());
  }

  @Test
  void mayBeTooLong() {
    assertTrue(over(Collections.nCopies(100, new DnId("dn-12345"))).fits());
    assertFalse(over(Collections.nCopies(200, new DnId("dn-12345"))).fits());
  }
}
