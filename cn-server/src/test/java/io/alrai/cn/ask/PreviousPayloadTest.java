package io.alrai.cn.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.dn.RecordedBytes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What CNs of the release before this one say to each other, and read. */
class PreviousPayloadTest {
  private static final AskRow ROW = new AskRow(Arrays.asList("größer", null, ""));

  @Test
  void questionsAndAnswersAreWrittenAndReadAsByThatOne() {
    AskPayload.Question question = new AskPayload.Question(1L << 40, "processlist", ROW);
    AskPayload.Answer answer =
        new AskPayload.Answer(AskPayload.FAILED, List.of(ROW, new AskRow(List.of())));
    Map<String, byte[]> written = new LinkedHashMap<>();
    written.put("Question", AskPayload.write(question));
    written.put("Answer", AskPayload.write(answer));
    RecordedBytes.compared("ask-payload-1", written)
        .forEach((name, recorded) -> {
          if (name.equals("Question")) {
            assertEquals(Optional.of(question), AskPayload.question(recorded));
          } else {
            assertEquals(answer, AskPayload.answer(recorded));
          }
        });
  }
}
