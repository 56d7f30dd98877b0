package io.alrai.gms.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.CatalogCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the release before this one has written to logs and sent: this one reads it, and writes
 * nothing else, as nodes of both are in one cluster while it is upgraded. A new kind, or a new
 * property, is not written before the release after that which knows it: see {@link GmsCodec}.
 * {@code -Dformats.record=true} records what is written now.
 */
class PreviousFormatTest {
  private static final Path RECORDED = Path.of("src/test/resources/formats/gms-1.txt");

  private final GmsCodec codec = new GmsCodec();
  private final ObjectMapper mapper = new ObjectMapper();

  private static List<Object> samples() {
    List<Object> samples = new ArrayList<>();
    GmsCodecTest.logCommands().forEach(command -> samples.add(new LogEntry("client:1", command)));
    samples.addAll(GmsCodecTest.questions());
    samples.addAll(GmsCodecTest.answers());
    return samples;
  }

  private static Class<?> type(Object sample) {
    return switch (sample) {
      case Question _ -> Question.class;
      case Answer _ -> Answer.class;
      default -> sample.getClass();
    };
  }

  @Test
  void itIsReadAndWrittenAsByThatOne() throws IOException {
    List<Object> samples = samples();
    List<String> written =
        samples.stream()
            .map(sample -> new String(codec.encode(sample), StandardCharsets.UTF_8))
            .toList();
    if (Boolean.getBoolean("formats.record")) {
      Files.createDirectories(RECORDED.getParent());
      Files.write(RECORDED, written);
    }
    List<String> recorded = Files.readAllLines(RECORDED);
    assertEquals(recorded.size(), written.size(), "samples and what was recorded of them");
    for (int i = 0; i < recorded.size(); i++) {
      byte[] then = recorded.get(i).getBytes(StandardCharsets.UTF_8);
      Object read = codec.decode(then, type(samples.get(i)));
      assertEquals(kind(samples.get(i)), kind(read));
      String again = new String(codec.encode(read), StandardCharsets.UTF_8);
      assertEquals(ordered(recorded.get(i)), ordered(again));
    }
  }

  @Test
  void whatANewerReleaseHasWrittenSaysWhatToDo() {
    for (String body :
        List.of(
            "{\"is\":\"Unheard\",\"a\":1}", "{\"is\":\"WhoIsBehind\",\"version\":1,\"more\":2}")) {
      byte[] json = ("{\"format\":1,\"body\":" + body + "}").getBytes(StandardCharsets.UTF_8);
      AlraiException refusal =
          assertThrows(AlraiException.class, () -> codec.decode(json, Question.class));
      assertTrue(refusal.sentence().contains("upgrade this node"), refusal.sentence());
    }
  }

  private static Class<?> kind(Object sample) {
    return switch (sample) {
      case LogEntry(String _, LogCommand.Change(CatalogCommand command)) -> command.getClass();
      case LogEntry entry -> entry.command().getClass();
      default -> sample.getClass();
    };
  }

  /** Sets are written in any order. */
  private String ordered(String json) throws IOException {
    JsonNode tree = mapper.readTree(json);
    order(tree);
    return tree.toString();
  }

  private static void order(JsonNode node) {
    node.forEach(PreviousFormatTest::order);
    if (node instanceof ArrayNode array) {
      List<JsonNode> elements = new ArrayList<>();
      array.forEach(elements::add);
      if (elements.stream().allMatch(JsonNode::isTextual)) {
        elements.sort(Comparator.comparing(JsonNode::asText));
        array.removeAll().addAll(elements);
      }
    }
  }
}
