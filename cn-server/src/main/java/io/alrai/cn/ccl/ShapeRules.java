package io.alrai.cn.ccl;

import io.alrai.cn.settings.ClientHosts;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.gms.api.CclRule;
import io.alrai.optimizer.api.ShapedStatement;
import java.nio.charset.Charset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that may be about the statements of one shape, in the order in which they are asked.
 * What depends on the execution is left: whose it is, its digest, its keywords. Kept with a plan;
 * used on that plan's event loop.
 */
public final class ShapeRules {
  /**
   * A rule, with what is known of the shape.
   *
   * @param keywords null where it has none
   */
  record Candidate(RuleQueue queue, @Nullable KeywordOrder keywords) {}

  /** A statement that is about to run. */
  public interface Asking {
    /** Who logged in. */
    String user();

    /** From which address. */
    String host();

    /** Its digest; null where it is not known, or not yet. */
    @Nullable String digest();

    /** Its text, cut into shape and slots. */
    ShapedStatement statement();

    /** The values of its slots. */
    SlotValues values();

    /** In which its values are. */
    Charset charset();
  }

  private final List<Candidate> candidates;
  private boolean known;

  ShapeRules(List<Candidate> candidates) {
    this.candidates = candidates;
  }

  /** The places of the rule that a statement is under; null for none. It counts as matched. */
  @Nullable RuleQueue find(Asking statement) {
    boolean knownShape = known;
    known = true;
    for (Candidate candidate : candidates) {
      CclRule rule = candidate.queue.rule();
      if (isOf(rule.to(), statement) && hasDigest(rule, statement) && has(candidate, statement)) {
        candidate.queue.matches(knownShape);
        return candidate.queue;
      }
    }
    return null;
  }

  private static boolean isOf(CclRule.Client client, Asking statement) {
    return (client.user().isEmpty() || client.user().equals(statement.user()))
        && ClientHosts.matches(client.host(), statement.host());
  }

  private static boolean hasDigest(CclRule rule, Asking statement) {
    List<String> templates = rule.filter().templates();
    if (templates.isEmpty()) {
      return true;
    }
    String digest = statement.digest();
    return digest != null && templates.contains(digest);
  }

  private static boolean has(Candidate candidate, Asking statement) {
    KeywordOrder keywords = candidate.keywords;
    return keywords == null
        || keywords.in(statement.statement(), statement.values(), statement.charset());
  }
}
