package io.alrai.cn.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** KILLs of another CN at one that began at 0, and whose clock stands there. */
class LateKillTest {
  private final FakeCn cn = new FakeCn();
  private final FakeClient client = cn.client();
  private long questions;

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private AskPayload.Answer kill(long askedMillis) throws Exception {
    AskRow row = AskRow.of(1, 0, "u", 1, 1, askedMillis);
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    cn.services
        .clients()
        .sessions()
        .asks()
        .asked(
            "cn-2",
            AskPayload.write(new AskPayload.Question(++questions, "kill", row)),
            reply::complete);
    AskPayload.Answer answer = AskPayload.answer(reply.get(10, TimeUnit.SECONDS));
    cn.loop.settle();
    return answer;
  }

  @Test
  void oneThatComesInTimeIsDone() throws Exception {
    assertEquals(AskPayload.ANSWERED, kill(500).status());
    assertFalse(client.channel.isOpen());
  }

  @Test
  void oneOfAnotherTimeIsRefused() throws Exception {
    assertRefused("came -2001 ms after it was sent", kill(2_001));
    assertRefused("was sent before this CN began", kill(-1));
  }

  private void assertRefused(String why, AskPayload.Answer answer) {
    assertEquals(AskPayload.FAILED, answer.status());
    String sentence = answer.rows().getFirst().text(0);
    assertTrue(sentence.contains(why), sentence);
    assertTrue(client.channel.isOpen());
  }
}
