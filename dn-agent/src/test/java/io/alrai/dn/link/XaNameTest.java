package io.alrai.dn.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class XaNameTest {
  private static final DnId DN = new DnId("dn-2");
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 77, new DnId("dn-1"));

  private static String data(String gtrid, String bqual) {
    return "0x" + HexFormat.of().formatHex((gtrid + bqual).getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void theLiteralIsHexadecimal() {
    TransactionId small = new TransactionId(new NodeId("c"), 1, 2, new DnId("d"));
    assertEquals("x'613a633a313a323a64',x'64',1", XaName.name(small, new DnId("d")).text());
  }

  @Test
  void readsWhatXaRecoverLists() {
    String gtrid = ID.gtrid();
    assertEquals(Optional.of(ID), XaName.recovered(1, gtrid.length(), 4, data(gtrid, "dn-2"), DN));
  }

  @Test
  void leavesOthersBranchesAlone() {
    String gtrid = ID.gtrid();
    int length = gtrid.length();
    assertEquals(Optional.empty(), XaName.recovered(2, length, 4, data(gtrid, "dn-2"), DN));
    assertEquals(Optional.empty(), XaName.recovered(1, length, 4, data(gtrid, "dn-3"), DN));
    assertEquals(Optional.empty(), XaName.recovered(1, 3, 4, data("abc", "dn-2"), DN));
    assertEquals(Optional.empty(), XaName.recovered(1, 9, 4, data("a:b:?:0:c", "dn-2"), DN));
    assertEquals(Optional.empty(), XaName.recovered(1, 3, 4, "0x00", DN));
    assertEquals(Optional.empty(), XaName.recovered(1, 3, 4, "abc", DN));
  }
}
