package io.alrai.cn.settings;

import io.alrai.common.sql.Sql;
import io.alrai.optimizer.api.text.Identifier;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The session variables that differ from a fresh backend connection's, as SQL literals. Instances
 * without user variables come from {@link SettingsRegistry}, so that equal settings are the same
 * object and a branch can be compared by identity. Immutable.
 */
public final class SessionSettings {
  /** The backend logs in with it, so it need not be sent. */
  public static final String DEFAULT_COLLATION = "utf8mb4_0900_ai_ci";

  private static final long DEFAULT_LOCK_WAIT_SECONDS = 31_536_000;

  private static final int DIGEST_BYTES = 16;

  private final TreeMap<String, String> literals;
  private final Set<String> doubted;
  private final boolean plainReads;
  private volatile byte @Nullable [] digest;

  SessionSettings(Map<String, String> literals) {
    this(new TreeMap<>(literals), Set.of());
  }

  /** The map is this object's. */
  private SessionSettings(TreeMap<String, String> literals, Set<String> doubted) {
    this.literals = literals;
    this.doubted = doubted;
    this.plainReads = !readsUncommitted();
  }

  /** Stands for them on all CNs: other settings have another one. Any thread. */
  public byte[] digest() {
    byte[] known = digest;
    if (known == null) {
      known = digested();
      digest = known;
    }
    return known;
  }

  private byte[] digested() {
    MessageDigest sha;
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
    literals.forEach((name, literal) ->
        sha.update(StandardCharsets.UTF_8.encode(name + '\0' + literal.length() + '\0' + literal)));
    return Arrays.copyOf(sha.digest(), DIGEST_BYTES);
  }

  /** Name to SQL literal, by name. */
  public Map<String, String> literals() {
    return Collections.unmodifiableMap(literals);
  }

  /** {@code lock_wait_timeout}; a year where it has the default. */
  public long lockWaitSeconds() {
    String literal = literal("lock_wait_timeout");
    return literal.isEmpty() ? DEFAULT_LOCK_WAIT_SECONDS : Long.parseLong(literal);
  }

  /** The literal of a variable, or an empty text where it has the default. */
  public String literal(String name) {
    return literals.getOrDefault(name, "");
  }

  /** Whether transactions that say nothing of their isolation have REPEATABLE READ. */
  public boolean repeatsReads() {
    String isolation = literal("transaction_isolation");
    return isolation.isEmpty() || isolation.equals("'REPEATABLE-READ'");
  }

  /** Whether reads see what is not committed yet. */
  public boolean readsUncommitted() {
    return literal("transaction_isolation").equals("'READ-UNCOMMITTED'");
  }

  /**
   * Whether what a SELECT of columns gives depends on these and on what is committed only, and not
   * on what others are about to commit.
   */
  public boolean readsPlainly() {
    return plainReads;
  }

  /** Whether a strict mode makes an error of a value that does not fit. */
  public boolean isStrict() {
    String mode = literal("sql_mode").toUpperCase(Locale.ROOT);
    return mode.isEmpty() || mode.contains("STRICT_") || mode.contains("TRADITIONAL");
  }

  /**
   * These and a session's user variables; the same object when there are none.
   *
   * @param userVariables SQL literals by name without {@code @}
   */
  public SessionSettings withUserVariables(Map<String, String> userVariables) {
    if (userVariables.isEmpty()) {
      return this;
    }
    TreeMap<String, String> all = new TreeMap<>(literals);
    userVariables.forEach((name, literal) -> all.put(quotedUserVariable(name), literal));
    return new SessionSettings(all, doubted);
  }

  /** These and seeds of RAND(), by name; the same object when there are none. */
  public SessionSettings withSeeds(Map<String, Long> seeds) {
    if (seeds.isEmpty()) {
      return this;
    }
    TreeMap<String, String> all = new TreeMap<>(literals);
    seeds.forEach((name, seed) -> all.put(name, Long.toUnsignedString(seed)));
    // RAND() moves them on
    Set<String> moved = new HashSet<>(doubted);
    moved.addAll(seeds.keySet());
    return new SessionSettings(all, Set.copyOf(moved));
  }

  /**
   * These for statements that may assign the variables of these names: after them a connection need
   * not have what it was given.
   */
  public SessionSettings doubting(Set<String> userVariables) {
    return userVariables.isEmpty()
        ? this
        : new SessionSettings(
            literals,
            Stream.concat(
                    doubted.stream(),
                    userVariables.stream().map(SessionSettings::quotedUserVariable))
                .collect(Collectors.toUnmodifiableSet()));
  }

  /** These without one system variable; the same object when it has its default. */
  public SessionSettings without(String name) {
    if (!literals.containsKey(name)) {
      return this;
    }
    TreeMap<String, String> others = new TreeMap<>(literals);
    others.remove(name);
    return new SessionSettings(others, doubted);
  }

  /** {@code @`name`}. */
  public static String quotedUserVariable(String name) {
    return "@" + Identifier.quote(name);
  }

  /**
   * The SET statement that makes a branch with the settings {@code before} (null for a fresh one)
   * have these; empty when there is nothing to say.
   */
  public Sql difference(@Nullable SessionSettings before) {
    StringBuilder sql = new StringBuilder();
    if (before != null) {
      for (String name : before.literals.keySet()) {
        if (!literals.containsKey(name)) {
          append(sql, name, initial(name));
        }
      }
    }
    literals.forEach((name, literal) -> {
      boolean had =
          before != null
              && literal.equals(before.literals.get(name))
              && !before.doubted.contains(name);
      if (!had) {
        append(sql, name, literal);
      }
    });
    return sql.isEmpty() ? Sql.EMPTY : Sql.of("SET ").written(sql.toString());
  }

  /**
   * A literal as SET of a system variable wants it: a text says its character set, else it would be
   * read in the connection's, which may be ucs2.
   */
  public static String value(String literal) {
    return literal.startsWith("'") ? "_utf8mb4" + literal : literal;
  }

  private static void append(StringBuilder sql, String name, String literal) {
    if (!sql.isEmpty()) {
      sql.append(',');
    }
    if (name.startsWith("@")) {
      if (literal.equals("NULL")) {
        // NULL alone would leave it the type and collation of what another session had in it
        sql.append(name).append("=_binary'',");
      }
      sql.append(name);
    } else {
      sql.append("SESSION ").append(name);
    }
    sql.append('=').append(name.startsWith("@") ? literal : value(literal));
  }

  /**
   * What gives a variable of a backend the value that it began with. DEFAULT turns {@code
   * foreign_key_checks} and {@code unique_checks} off, whatever their global values: mysqld keeps
   * them as bits that say the contrary, and takes the global bit for the value. Seeds have no
   * default: others begin with seeds that nobody has chosen.
   */
  public static String initial(String name) {
    if (name.startsWith("@")) {
      return "NULL";
    }
    return switch (name) {
      case "character_set_client", "character_set_connection", "character_set_results" -> "utf8mb4";
      case "collation_connection" -> DEFAULT_COLLATION;
      case CnVariables.RAND_SEED1, CnVariables.RAND_SEED2 ->
          Integer.toString(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
      case "foreign_key_checks", "unique_checks" -> "@@GLOBAL." + name;
      default -> "DEFAULT";
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SessionSettings that
        && literals.equals(that.literals)
        && doubted.equals(that.doubted);
  }

  @Override
  public int hashCode() {
    return literals.hashCode();
  }
}
