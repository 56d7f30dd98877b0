package io.alrai.cn.route;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.AsciiWeights;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Weights learned from a mysqld. A collation's ASCII table is used only when a text that has every
 * pair of ASCII characters weighs what its characters weigh one by one: so there are no
 * contractions and no second level. Answers for other strings are kept, the most recently used.
 */
public final class LearnedWeights implements CollationWeights {
  private static final int ASCII = 128;
  private static final List<String> COMMON =
      List.of("utf8mb4_0900_ai_ci", "utf8mb4_0900_as_ci", "utf8mb4_0900_bin");
  private static final int KEPT = 8192;
  private static final int LONGEST_KEPT = 512;

  private record Asked(String textCharset, String target, String textHex) {}

  private final Questions questions;
  private final Map<String, Optional<AsciiWeights>> learned = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<Asked, Optional<byte[]>> answers =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, Optional<byte[]>> eldest) {
          return size() > KEPT;
        }
      };

  /** Asks through {@code questions}. */
  public LearnedWeights(Questions questions) {
    this.questions = questions;
  }

  @Override
  public @Nullable AsciiWeights known(String collation) {
    Optional<AsciiWeights> table = learned.get(collation);
    return table == null ? null : table.orElse(null);
  }

  @Override
  public void learn(String charset, String collation) {
    if (!learned.containsKey(collation)) {
      learned.put(collation, Optional.ofNullable(askTable(charset, collation)));
    }
  }

  /** Learns the collations that most columns have, so that planners know them; blocks. */
  public void learnCommon() {
    COMMON.forEach(collation -> learn("utf8mb4", collation));
  }

  private @Nullable AsciiWeights askTable(String charset, String collation) {
    List<Sql> all = new ArrayList<>();
    for (int c = 0; c < ASCII; c++) {
      all.add(weightOf(new byte[] {(byte) c}, "utf8mb4", charset, collation));
    }
    byte[] pairs = allPairs();
    all.add(weightOf(pairs, "utf8mb4", charset, collation));
    Sql sql = Sql.of("SELECT ").add(Sql.join(",", all));
    List<Optional<byte[]>> row = questions.ask(sql).getFirst();
    byte[][] weights = new byte[ASCII][];
    for (int c = 0; c < ASCII; c++) {
      weights[c] = row.get(c).orElse(new byte[0]);
    }
    AsciiWeights table = new AsciiWeights(weights);
    byte[] asWhole = row.get(ASCII).orElse(new byte[0]);
    return Arrays.equals(asWhole, table.of(pairs, pairs.length)) ? table : null;
  }

  /** A text in which every ASCII character follows every ASCII character. */
  private static byte[] allPairs() {
    ByteArrayOutputStream text = new ByteArrayOutputStream(2 * ASCII * ASCII);
    for (int a = 0; a < ASCII; a++) {
      for (int b = 0; b < ASCII; b++) {
        text.write(a);
        text.write(b);
      }
    }
    return text.toByteArray();
  }

  @Override
  public byte @Nullable [] ask(byte[] text, String textCharset, String charset, String collation) {
    return kept(
        new Asked(textCharset, collation, HexFormat.of().formatHex(text)),
        () -> weightOf(text, textCharset, charset, collation),
        text,
        textCharset,
        charset);
  }

  @Override
  public byte @Nullable [] convert(byte[] text, String from, String to) {
    return kept(
        new Asked(from, "to " + to, HexFormat.of().formatHex(text)),
        () -> Sql.of("CAST(").add(converted(text, from, to)).words(" AS BINARY)"),
        text,
        from,
        to);
  }

  private byte @Nullable [] kept(
      Asked key, Supplier<Sql> value, byte[] text, String textCharset, String charset) {
    lock.lock();
    try {
      Optional<byte[]> kept = answers.get(key);
      if (kept != null) {
        return kept.orElse(null);
      }
    } finally {
      lock.unlock();
    }
    Optional<byte[]> answer = askMysqld(value.get(), text, textCharset, charset);
    if (text.length <= LONGEST_KEPT) {
      lock.lock();
      try {
        answers.put(key, answer);
      } finally {
        lock.unlock();
      }
    }
    return answer.orElse(null);
  }

  /** A value that depends on a text, unless the text loses characters on its way to a charset. */
  private Optional<byte[]> askMysqld(Sql value, byte[] text, String textCharset, String charset) {
    Sql lossless =
        Sql.of("CONVERT(")
            .add(converted(text, textCharset, charset))
            .words(" USING ")
            .word(textCharset)
            .words(") COLLATE ")
            .word(binary(textCharset))
            .words(" = ")
            .add(literal(text, textCharset))
            .words(" COLLATE ")
            .word(binary(textCharset));
    List<Optional<byte[]>> row =
        questions.ask(Sql.of("SELECT ").add(value).words(", ").add(lossless)).getFirst();
    boolean exact = row.get(1).filter(flag -> flag.length == 1 && flag[0] == '1').isPresent();
    if (exact && row.get(0).isEmpty()) {
      throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "a mysqld gives no " + value);
    }
    return exact ? row.get(0) : Optional.empty();
  }

  private static Sql converted(byte[] text, String from, String to) {
    return Sql.of("CONVERT(").add(literal(text, from)).words(" USING ").word(to).words(")");
  }

  private static String binary(String charset) {
    return charset.equals("binary") ? "binary" : charset + "_bin";
  }

  private static Sql weightOf(byte[] text, String textCharset, String charset, String collation) {
    return Sql.of("WEIGHT_STRING(")
        .add(converted(text, textCharset, charset))
        .words(" COLLATE ")
        .word(collation)
        .words(")");
  }

  private static Sql literal(byte[] text, String charset) {
    return Sql.of("_").word(charset).words(" ").hex(text);
  }
}
