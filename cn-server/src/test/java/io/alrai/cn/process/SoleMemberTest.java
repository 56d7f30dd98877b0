package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.net.ListenPorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SoleMemberTest {
  private static final DnId DN = new DnId("dn-1");

  private final AtomicInteger founded = new AtomicInteger();

  private static boolean asked(SoleMember member, String address) throws Exception {
    return member.add("logger-1", address, false).get(20, TimeUnit.SECONDS);
  }

  private static AlraiException refusal(SoleMember member, String address) {
    ExecutionException failed =
        assertThrows(
            ExecutionException.class,
            () -> {
              while (!asked(member, address)) {
                // as a CN does
              }
            });
    return (AlraiException) failed.getCause();
  }

  @Test
  void nothingIsFoundedForOneThatIsNotThere() throws Exception {
    SoleMember member = new SoleMember(DN, founded::incrementAndGet, () -> "");
    String nobody = "127.0.0.1:" + ListenPorts.free();
    AlraiException refused = refusal(member, nobody);
    assertTrue(refused.sentence().contains("logger-1 cannot be reached at " + nobody));
    assertEquals(0, founded.get());
    assertTrue(refusal(member, "nowhere").sentence().contains("HOST:PORT"));
  }

  @Test
  void itSaysWhatIsAmiss() throws Exception {
    String disk = "the disk of /d has 5 MiB left";
    SoleMember member = new SoleMember(DN, founded::incrementAndGet, () -> disk);
    assertEquals(disk, member.status().get(20, TimeUnit.SECONDS).error());
  }

  @Test
  void aGroupIsFoundedOnceHoweverOftenItIsAskedFor() throws Exception {
    CountDownLatch goesOn = new CountDownLatch(1);
    SoleMember member =
        new SoleMember(
            DN,
            () -> {
              founded.incrementAndGet();
              goesOn.await();
            },
            () -> "");
    try (ServerSocket joiner = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + joiner.getLocalPort();
      assertFalse(asked(member, address), "it is at work");
      assertFalse(asked(member, address));
      goesOn.countDown();
      assertFalse(asked(member, address), "the group's member adds");
      assertEquals(1, founded.get());
    }
  }

  @Test
  void afterAFailureItIsTriedAgain() throws Exception {
    SoleMember member =
        new SoleMember(
            DN,
            () -> {
              if (founded.incrementAndGet() == 1) {
                throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no room");
              }
            },
            () -> "");
    try (ServerSocket joiner = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + joiner.getLocalPort();
      assertEquals("no room", refusal(member, address).sentence());
      asked(member, address);
      assertFalse(asked(member, address));
      assertTrue(founded.get() >= 2);
    }
  }
}
