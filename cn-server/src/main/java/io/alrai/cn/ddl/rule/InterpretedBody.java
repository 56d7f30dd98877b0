package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.gms.api.Procedure;
import io.alrai.optimizer.api.routine.Routine;
import io.alrai.optimizer.api.routine.RoutineParser;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What is asked of a body before CNs interpret it. */
public final class InterpretedBody {
  /** Words of statements that write; before a parenthesis some are functions. */
  private static final List<String> WRITES =
      List.of("INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "DROP");

  /** Functions that give another value each time, or change the session. */
  private static final List<String> VARYING =
      List.of("RAND", "UUID", "UUID_SHORT", "RANDOM_BYTES", "SYSDATE", "SLEEP", "GET_LOCK");

  /** A member that a number may be made of. */
  private static final Pattern NUMBERS = Pattern.compile("['\"]\\s*[-+.]*[0-9]");

  private final TokenCursor tokens;

  public InterpretedBody(String body, DdlSession session) {
    this.tokens = TokenCursor.ofProgram(body, session.ansiQuotes(), session.isWithoutEscapes());
  }

  /**
   * Checks what no mysqld has refused.
   *
   * @throws io.alrai.common.error.AlraiException 1235 for variables of type ENUM and SET whose
   *     numbers may be meant
   */
  public static void check(Procedure program, DdlSession session) {
    Routine routine =
        RoutineParser.parse(
            program.parameters(), program.body(), session.ansiQuotes(), session.isWithoutEscapes());
    MemberUses uses =
        new MemberUses(
            TokenCursor.ofProgram(
                program.body(), session.ansiQuotes(), session.isWithoutEscapes()));
    for (Routine.Variable variable : routine.variables()) {
      String type = variable.type().strip().toUpperCase(Locale.ROOT);
      boolean members = type.startsWith("ENUM") || type.startsWith("SET");
      if (members && (NUMBERS.matcher(type).find() || !uses.areTexts(variable.name()))) {
        throw TriggerRules.refused(
            "variables of type ENUM and SET where their numbers may be meant",
            "; declare " + variable.name() + " as VARCHAR");
      }
    }
  }

  /** The settings under which a body is read and run. */
  public static Map<String, String> settings(DdlSession session) {
    Map<String, String> settings = new HashMap<>();
    for (String setting : Procedure.SETTINGS) {
      String literal = session.settings().getOrDefault(setting, "");
      if (!literal.isEmpty()) {
        settings.put(setting, literal);
      }
    }
    return settings;
  }

  /**
   * The first word by which each call may do or give something else; empty for none.
   *
   * @throws io.alrai.common.error.AlraiException 1235 for CALL: what it does is not known here
   */
  public String varying() {
    String found = "";
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.kindAt(i) != TokenKind.WORD || tokens.kindAt(i - 1) == TokenKind.DOT) {
        continue;
      }
      String word = tokens.token(i).text().toUpperCase(Locale.ROOT);
      boolean called = tokens.kindAt(i + 1) == TokenKind.OPEN;
      if (word.equals("CALL")) {
        throw TriggerRules.refused("CALL in a function", "; put the statements into the function");
      }
      boolean varies = called ? VARYING.contains(word) : WRITES.contains(word);
      if (found.isEmpty() && varies) {
        found = word;
      }
    }
    return found;
  }

  /** What looks like a function's name, in lower case. */
  public Set<String> calls() {
    Set<String> calls = new HashSet<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.kindAt(i + 1) == TokenKind.OPEN && tokens.token(i).isName()) {
        calls.add(tokens.token(i).name().toLowerCase(Locale.ROOT));
      }
    }
    return calls;
  }
}
