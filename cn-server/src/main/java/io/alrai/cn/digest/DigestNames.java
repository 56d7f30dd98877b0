package io.alrai.cn.digest;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.BackendAccount;
import io.alrai.optimizer.api.shape.FoldedShape;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a DN's mysqld name shapes by its own digests. Blocking; any thread. */
public final class DigestNames {
  private static final Logger log = LoggerFactory.getLogger(DigestNames.class);

  /** MySQL's error for a text that it cannot parse. */
  private static final int NO_STATEMENT = 3676;

  /** Names of tables without a schema are of this one, which each mysqld has. */
  private static final String SOME_SCHEMA = "sys";

  private final ShardQueries queries;
  private final SettingsRegistry settings;

  /** Names of a CN. */
  public DigestNames(ShardQueries queries, SettingsRegistry settings) {
    this.queries = queries;
    this.settings = settings;
  }

  /** Names a shape; without effect when that is done, or no mysqld answers. */
  void name(ShapeName name) {
    DigestQuestion asked = name.question();
    if (asked == null) {
      return;
    }
    try {
      name.become(ask(asked));
    } catch (AlraiException e) {
      if (e.errno() == NO_STATEMENT) {
        name.become(own(asked));
      } else {
        log.info("a statement has no digest yet: {}", e.sentence());
      }
    }
  }

  private ShapeName.Digest ask(DigestQuestion asked) {
    byte[] sql = asked.sql().getBytes(StandardCharsets.UTF_8);
    Sql question =
        Sql.of("SELECT STATEMENT_DIGEST(CONVERT(")
            .hex(sql)
            .words(" USING utf8mb4)),STATEMENT_DIGEST_TEXT(CONVERT(")
            .hex(sql)
            .words(" USING utf8mb4))");
    ShardQueries same = queries.withSettings(settings(asked.mode()));
    List<@Nullable String> row;
    try (ShardCall call =
        same.start(queries.links().any(), BackendAccount.SHADOW, SOME_SCHEMA, question)) {
      row = ShardQueries.rows(call).getFirst();
    }
    String hash = row.get(0);
    String text = row.get(1);
    return hash == null || text == null ? own(asked) : new ShapeName.Digest(hash, text);
  }

  private SessionSettings settings(LexicalMode mode) {
    if (!mode.ansiQuotes() && !mode.noBackslashEscapes()) {
      return settings.defaults();
    }
    List<String> words = new ArrayList<>();
    if (mode.ansiQuotes()) {
      words.add("ANSI_QUOTES");
    }
    if (mode.noBackslashEscapes()) {
      words.add("NO_BACKSLASH_ESCAPES");
    }
    return settings.with(
        settings.defaults(), Map.of("sql_mode", "'" + String.join(",", words) + "'"));
  }

  /** What no mysqld takes for a statement, as those that only Alrai has, is named by its shape. */
  static ShapeName.Digest own(DigestQuestion asked) {
    String masked = FoldedShape.masked(asked.shape());
    String shape = masked.substring(0, Math.min(masked.length(), ShapeCount.MOST_SAMPLE));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(shape.getBytes(StandardCharsets.UTF_8));
      return new ShapeName.Digest(HexFormat.of().formatHex(hash), shape);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
