package io.alrai.cn.route;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.alrai.common.sql.Sql;
import io.alrai.common.type.AsciiWeights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LearnedWeightsTest {
  private static final Pattern WEIGHT =
      Pattern.compile("WEIGHT_STRING\\(CONVERT\\(_\\w+ x'(\\w*)'");

  /** A mysqld with one collation; says that every conversion is lossless. */
  private static final class OneCollation implements Questions {
    private final Function<String, String> weigh;
    private int asked;

    OneCollation(Function<String, String> weigh) {
      this.weigh = weigh;
    }

    @Override
    public List<List<Optional<byte[]>>> ask(Sql sql) {
      asked++;
      List<Optional<byte[]>> row = new ArrayList<>();
      Matcher matcher = WEIGHT.matcher(sql.text());
      while (matcher.find()) {
        String text = new String(HexFormat.of().parseHex(matcher.group(1)), StandardCharsets.UTF_8);
        row.add(Optional.of(weigh.apply(text).getBytes(StandardCharsets.UTF_8)));
      }
      row.add(Optional.of(new byte[] {'1'}));
      return List.of(row);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void learnsATableOnce() {
    OneCollation mysqld = new OneCollation(text -> text.toUpperCase(Locale.ROOT));
    LearnedWeights weights = new LearnedWeights(mysqld);
    assertNull(weights.known("x_ci"));
    weights.learn("utf8mb4", "x_ci");
    weights.learn("utf8mb4", "x_ci");
    AsciiWeights table = weights.known("x_ci");
    assertNotNull(table);
    assertArrayEquals(bytes("ABC1"), table.of(bytes("aBc1"), 4));
    assertArrayEquals(bytes(" "), table.blank());
    assertEquals(1, mysqld.asked);
  }

  @Test
  void contractionsForbidTheTable() {
    OneCollation mysqld = new OneCollation(text -> text.replace("ch", "c~"));
    LearnedWeights weights = new LearnedWeights(mysqld);
    weights.learn("utf8mb4", "cz_ci");
    assertNull(weights.known("cz_ci"));
    weights.learn("utf8mb4", "cz_ci");
    assertEquals(1, mysqld.asked);
  }

  @Test
  void keepsAnswers() {
    OneCollation mysqld = new OneCollation(text -> text.replace('ä', 'A'));
    LearnedWeights weights = new LearnedWeights(mysqld);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(bytes("A"), weights.ask(bytes("ä"), "utf8mb4", "utf8mb4", "x_ci"));
    }
    assertEquals(1, mysqld.asked);
    weights.ask(bytes("ä"), "utf8mb4", "utf8mb4", "y_ci");
    assertEquals(2, mysqld.asked);
  }

  @Test
  void lossyTextHasNoWeights() {
    LearnedWeights weights =
        new LearnedWeights(
            sql -> List.of(List.of(Optional.of(bytes("?")), Optional.of(bytes("0")))));
    assertNull(weights.ask(bytes("日"), "utf8mb4", "latin1", "latin1_swedish_ci"));
  }
}
