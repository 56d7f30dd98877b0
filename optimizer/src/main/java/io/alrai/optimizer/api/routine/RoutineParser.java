package io.alrai.optimizer.api.routine;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.routine.Routine.Mode;
import io.alrai.optimizer.api.routine.Routine.Parameter;
import io.alrai.optimizer.api.routine.Routine.Variable;
import io.alrai.optimizer.api.routine.Step.Condition;
import io.alrai.optimizer.api.routine.Step.Declaration;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a procedure's compound statements. What a mysqld would refuse in a body has been refused
 * before; of the rest everything is understood. Used once, by one thread.
 */
public final class RoutineParser {
  private final FragmentReader fragments;
  private final TokenCursor tokens;
  private final StatementReader statements;
  private final List<Variable> variables = new ArrayList<>();
  private final List<Fragment> cursors = new ArrayList<>();

  private RoutineParser(String body, boolean ansiQuotes, boolean noBackslashEscapes) {
    this.fragments = new FragmentReader(ansiQuotes, noBackslashEscapes);
    this.tokens = TokenCursor.ofProgram(body, ansiQuotes, noBackslashEscapes);
    this.statements = new StatementReader(tokens, fragments);
  }

  /**
   * Reads a procedure.
   *
   * @param parameters what stands between its parentheses
   * @throws AlraiException 1064 where the texts are not understood
   */
  public static Routine parse(
      String parameters, String body, boolean ansiQuotes, boolean noBackslashEscapes) {
    RoutineParser parser = new RoutineParser(body, ansiQuotes, noBackslashEscapes);
    Scope scope = new Scope(null);
    List<Parameter> declared = parser.parameters(parameters, scope);
    Step step = parser.step(scope);
    parser.tokens.take(TokenKind.SEMICOLON);
    parser.tokens.expectEnd();
    return new Routine(declared, parser.variables, parser.cursors, step);
  }

  /**
   * Reads SIGNAL, RESIGNAL or GET DIAGNOSTICS by itself, as in a body without variables.
   *
   * @throws AlraiException what a mysqld says where the text is not understood: 1064, 1319, 1327,
   *     1407, 1641
   */
  public static Step.OnConditions onConditions(
      String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    RoutineParser parser = new RoutineParser(sql, ansiQuotes, noBackslashEscapes);
    Step.OnConditions step = parser.statements.onConditions(new Scope(null));
    parser.tokens.take(TokenKind.SEMICOLON);
    parser.tokens.expectEnd();
    return step;
  }

  private int declare(String name, String type, Scope scope) {
    variables.add(new Variable(name, type));
    scope.variable(name, variables.size() - 1);
    return variables.size() - 1;
  }

  private List<Parameter> parameters(String text, Scope scope) {
    TokenCursor list = fragments.cursor(text);
    List<Parameter> declared = new ArrayList<>();
    while (!list.atEnd()) {
      Mode mode = Mode.IN;
      for (Mode each : Mode.values()) {
        if (list.sees(each.name()) && list.kindAt(list.position() + 2) != TokenKind.COMMA) {
          list.take(each.name());
          mode = each;
        }
      }
      String name = list.identifier();
      int end = list.endOfItem(list.position());
      declare(name, list.slice(list.position(), end), scope);
      declared.add(new Parameter(mode, name));
      list.moveTo(end);
      if (!list.atEnd()) {
        list.expect(TokenKind.COMMA);
      }
    }
    return declared;
  }

  // Compound statements

  private Step step(Scope scope) {
    String label = "";
    if (isLabel()) {
      label = tokens.identifier().toLowerCase(Locale.ROOT);
      tokens.moveTo(tokens.position() + 1);
    }
    if (tokens.take("BEGIN")) {
      return block(label, new Scope(scope));
    }
    if (tokens.take("LOOP")) {
      List<Step> steps = steps(scope, "END");
      return end("LOOP", new Step.Loop(label, Optional.empty(), steps, Optional.empty()));
    }
    if (tokens.take("WHILE")) {
      Fragment condition = until(scope, "DO");
      tokens.expect("DO");
      List<Step> steps = steps(scope, "END");
      return end("WHILE", new Step.Loop(label, Optional.of(condition), steps, Optional.empty()));
    }
    if (tokens.take("REPEAT")) {
      List<Step> steps = steps(scope, "UNTIL");
      tokens.expect("UNTIL");
      Fragment condition = until(scope, "END");
      return end("REPEAT", new Step.Loop(label, Optional.empty(), steps, Optional.of(condition)));
    }
    if (tokens.take("IF")) {
      return condition(scope);
    }
    if (tokens.take("CASE")) {
      return choice(scope);
    }
    return statements.simple(scope);
  }

  private boolean isLabel() {
    int at = tokens.position();
    return !tokens.atEnd()
        && tokens.token(at).isName()
        && at + 1 < tokens.size()
        && tokens.token(at + 1).text().equals(":");
  }

  private List<Step> steps(Scope scope, String... ends) {
    List<Step> steps = new ArrayList<>();
    while (!seesAny(ends)) {
      if (tokens.atEnd()) {
        throw tokens.syntaxError();
      }
      steps.add(step(scope));
      tokens.expect(TokenKind.SEMICOLON);
    }
    return steps;
  }

  private boolean seesAny(String... words) {
    for (String word : words) {
      if (tokens.sees(word)) {
        return true;
      }
    }
    return false;
  }

  private Step end(String word, Step step) {
    tokens.expect("END", word);
    endLabel();
    return step;
  }

  private void endLabel() {
    if (!tokens.atEnd() && tokens.kind() != TokenKind.SEMICOLON) {
      tokens.identifier();
    }
  }

  private Step block(String label, Scope scope) {
    List<Declaration> declarations = new ArrayList<>();
    while (tokens.take("DECLARE")) {
      declaration(scope, declarations);
      tokens.expect(TokenKind.SEMICOLON);
    }
    List<Step> steps = steps(scope, "END");
    tokens.expect("END");
    endLabel();
    return new Step.Block(label, declarations, steps);
  }

  private Step condition(Scope scope) {
    List<Step.Branch> branches = new ArrayList<>();
    List<Step> otherwise = List.of();
    do {
      Fragment condition = until(scope, "THEN");
      tokens.expect("THEN");
      branches.add(new Step.Branch(condition, steps(scope, "ELSEIF", "ELSE", "END")));
    } while (tokens.take("ELSEIF"));
    if (tokens.take("ELSE")) {
      otherwise = steps(scope, "END");
    }
    tokens.expect("END", "IF");
    return new Step.If(branches, otherwise);
  }

  private Step choice(Scope scope) {
    Optional<Fragment> operand =
        tokens.sees("WHEN") ? Optional.empty() : Optional.of(until(scope, "WHEN"));
    List<Step.Branch> branches = new ArrayList<>();
    while (tokens.take("WHEN")) {
      Fragment condition = until(scope, "THEN");
      tokens.expect("THEN");
      branches.add(new Step.Branch(condition, steps(scope, "WHEN", "ELSE", "END")));
    }
    Optional<List<Step>> otherwise =
        tokens.take("ELSE") ? Optional.of(steps(scope, "END")) : Optional.empty();
    tokens.expect("END", "CASE");
    return new Step.Case(operand, branches, otherwise);
  }

  /** The expression up to a word; CASE .. END within it has such words of its own. */
  private Fragment until(Scope scope, String word) {
    int start = tokens.position();
    int cases = 0;
    int depth = 0;
    for (int i = start; i < tokens.size(); i++) {
      boolean name = tokens.kindAt(i - 1) == TokenKind.DOT;
      if (cases == 0 && depth == 0 && !name && tokens.seesAt(i, word)) {
        tokens.moveTo(i);
        return fragments.expression(tokens.slice(start, i), scope);
      }
      if (tokens.seesAt(i, "CASE") && !name) {
        cases++;
      } else if (tokens.seesAt(i, "END") && !name) {
        cases--;
      } else if (tokens.kindAt(i) == TokenKind.OPEN) {
        depth++;
      } else if (tokens.kindAt(i) == TokenKind.CLOSE) {
        depth--;
      }
    }
    tokens.moveTo(tokens.size());
    throw tokens.syntaxError();
  }

  // DECLARE

  private void declaration(Scope scope, List<Declaration> declarations) {
    int at = tokens.position();
    if (tokens.seesAt(at + 1, "HANDLER", "FOR")) {
      boolean exits = tokens.sees("EXIT");
      tokens.moveTo(at + 3);
      declarations.add(handler(scope, exits));
      return;
    }
    if (tokens.seesAt(at + 1, "CONDITION", "FOR")) {
      String name = tokens.identifier();
      tokens.expect("CONDITION", "FOR");
      scope.condition(name, statements.value(scope));
      return;
    }
    if (tokens.seesAt(at + 1, "CURSOR", "FOR")) {
      String name = tokens.identifier();
      tokens.expect("CURSOR", "FOR");
      Fragment query = fragments.data(statements.rest(), scope);
      scope.cursor(name, cursors.size());
      declarations.add(new Declaration.Cursor(cursors.size()));
      cursors.add(query);
      return;
    }
    variables(scope, declarations);
  }

  private void variables(Scope scope, List<Declaration> declarations) {
    List<String> names = new ArrayList<>();
    do {
      names.add(tokens.identifier());
    } while (tokens.take(TokenKind.COMMA));
    int start = tokens.position();
    int end = start;
    int depth = 0;
    while (end < tokens.size() && tokens.kindAt(end) != TokenKind.SEMICOLON) {
      if (depth == 0 && tokens.seesAt(end, "DEFAULT")) {
        break;
      }
      depth += tokens.kindAt(end) == TokenKind.OPEN ? 1 : 0;
      depth -= tokens.kindAt(end) == TokenKind.CLOSE ? 1 : 0;
      end++;
    }
    String type = tokens.slice(start, end);
    tokens.moveTo(end);
    Optional<Fragment> initial = Optional.empty();
    if (tokens.take("DEFAULT")) {
      initial = Optional.of(fragments.expression(statements.rest(), scope));
    }
    for (String name : names) {
      declarations.add(new Declaration.Variable(declare(name, type, scope), initial));
    }
  }

  private Declaration handler(Scope scope, boolean exits) {
    List<Condition> conditions = new ArrayList<>();
    do {
      conditions.add(statements.value(scope));
    } while (tokens.take(TokenKind.COMMA));
    return new Declaration.Handler(exits, conditions, step(scope));
  }
}
