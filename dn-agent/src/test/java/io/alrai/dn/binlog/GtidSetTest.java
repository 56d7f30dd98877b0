package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GtidSetTest {
  private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String B = "f3b0c442-98fc-1c14-9afb-f4c8996fb924";

  @Test
  void textThereAndBack() {
    for (String text :
        new String[] {"", A + ":1", A + ":1-5:7:11-18", A + ":1-5," + A + ":tag_1:2-3"}) {
      assertEquals(text, GtidSet.parse(text).toString());
    }
    assertEquals(GtidSet.parse(A + ":1-2:tag:1"), GtidSet.parse(A + ":1-2,\n" + A + ":tag:1"));
    assertEquals(A + ":1-9", GtidSet.parse(A + ":4-9:1-3").toString());
    assertTrue(GtidSet.parse("").isEmpty());
    assertFalse(GtidSet.parse(A + ":1").isEmpty());
    assertThrows(IllegalArgumentException.class, () -> GtidSet.parse(A + ":5-4"));
    assertThrows(IllegalArgumentException.class, () -> GtidSet.parse("nonsense:1"));
  }

  @Test
  void aSetWithoutAnother() {
    Random random = new Random(7);
    UUID source = UUID.fromString(A);
    for (int round = 0; round < 500; round++) {
      GtidSet one = new GtidSet();
      GtidSet other = new GtidSet();
      GtidSet wanted = new GtidSet();
      for (long number = 1; number <= 30; number++) {
        Gtid gtid = new Gtid(source, "", number);
        boolean in = random.nextInt(3) > 0;
        boolean inOther = random.nextInt(3) > 0;
        if (in) {
          one.add(gtid);
        }
        if (inOther) {
          other.add(gtid);
        }
        if (in && !inOther) {
          wanted.add(gtid);
        }
      }
      assertEquals(wanted, one.without(other), one + " without " + other);
    }
    assertEquals(GtidSet.parse(A + ":1"), GtidSet.parse(A + ":1").without(GtidSet.parse(B + ":1")));
  }

  @Test
  void numbersAddedInAnyOrderAreIn() {
    UUID source = UUID.fromString(B);
    long seed = 42;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      GtidSet set = GtidSet.parse(A + ":1-1000");
      Set<Long> model = new HashSet<>();
      for (int i = 0; i < 60; i++) {
        long number = 1 + random.nextInt(80);
        model.add(number);
        set.add(new Gtid(source, "", number));
      }
      for (long number = 1; number <= 81; number++) {
        Gtid gtid = new Gtid(source, "", number);
        assertEquals(model.contains(number), set.contains(gtid), gtid + " in " + set);
      }
      assertEquals(set, GtidSet.parse(set.toString()));
      assertEquals(set, set.copy());
    }
  }

  @Test
  void aTagMakesAnotherName() {
    GtidSet set = GtidSet.parse(A + ":tag:1-3");
    assertTrue(set.contains(new Gtid(UUID.fromString(A), "tag", 2)));
    assertFalse(set.contains(new Gtid(UUID.fromString(A), "", 2)));
    assertFalse(GtidSet.parse(A + ":1-3").containsAll(set));
  }

  @Test
  void supersetsContainAll() {
    GtidSet set = GtidSet.parse(A + ":1-10:20-30," + B + ":1");
    assertTrue(set.containsAll(GtidSet.parse(A + ":2-3:25-30")));
    assertTrue(set.containsAll(new GtidSet()));
    assertFalse(set.containsAll(GtidSet.parse(A + ":10-20")));
    assertFalse(set.containsAll(GtidSet.parse(B + ":1-2")));
  }

  @Test
  void countsWhatIsMissing() {
    String a = "00000000-0000-0000-0000-00000000000a";
    String b = "00000000-0000-0000-0000-00000000000b";
    GtidSet all = GtidSet.parse(a + ":1-10:20-25," + b + ":7");
    assertEquals(17, new GtidSet().missingOf(all));
    assertEquals(0, all.missingOf(all));
    assertEquals(4, GtidSet.parse(a + ":3-12:18-22:24-30").missingOf(all));
    assertEquals(0, all.missingOf(new GtidSet()));
  }

  @Test
  void encodedAsTheServerReadsIt() {
    ByteBuf out = Unpooled.buffer();
    GtidSet.parse(A + ":1-5").encode(out);
    assertEquals(
        "0100000000000000"
            + A.replace("-", "")
            + "0100000000000000"
            + "0100000000000000"
            + "0600000000000000",
        ByteBufUtil.hexDump(out));
    out.clear();
    GtidSet.parse(A + ":t:7").encode(out);
    assertEquals(
        "0101000000000001"
            + A.replace("-", "")
            + "0274"
            + "0100000000000000"
            + "0700000000000000"
            + "0800000000000000",
        ByteBufUtil.hexDump(out));
  }

  @Test
  void encodedThereAndBack() {
    for (String text :
        new String[] {"", A + ":1-5", A + ":1-5:7," + B + ":3", A + ":1-5:tag:2-3," + B + ":9"}) {
      ByteBuf out = Unpooled.buffer();
      GtidSet.parse(text).encode(out);
      assertEquals(GtidSet.parse(text), GtidSet.decode(out));
      assertFalse(out.isReadable());
    }
    ByteBuf torn = Unpooled.buffer();
    GtidSet.parse(A + ":1-5").encode(torn);
    torn.writerIndex(torn.writerIndex() - 1);
    assertThrows(BinlogException.class, () -> GtidSet.decode(torn));
    ByteBuf empty = Unpooled.buffer().writeLongLE(1).writeZero(16).writeLongLE(1);
    empty.writeLongLE(5).writeLongLE(5);
    assertThrows(BinlogException.class, () -> GtidSet.decode(empty));
  }
}
