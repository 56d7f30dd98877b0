package io.alrai.optimizer.routine;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.parse.TokenCursor;
import io.alrai.optimizer.parse.TokenKind;
import io.alrai.optimizer.parse.VariableNames;
import io.alrai.optimizer.routine.Step.Condition;
import io.alrai.optimizer.routine.Step.Target;
import io.alrai.optimizer.syntax.Span;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.SyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The statements of a body that hold no others. */
final class StatementReader {
  private static final Set<String> DATA =
      Set.of("SELECT", "WITH", "TABLE", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE");
  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "TABLE", "VALUES");
  private static final Set<String> OTHER_SETS =
      Set.of("TRANSACTION", "NAMES", "CHARACTER", "CHARSET", "PASSWORD", "ROLE", "DEFAULT");

  private final TokenCursor tokens;
  private final FragmentReader fragments;

  StatementReader(TokenCursor tokens, FragmentReader fragments) {
    this.tokens = tokens;
    this.fragments = fragments;
  }

  /** The text from the cursor up to the semicolon, which comes next. */
  String rest() {
    int start = tokens.position();
    tokens.moveTo(end(start));
    return tokens.slice(start, tokens.position());
  }

  private int end(int from) {
    int at = from;
    while (at < tokens.size() && tokens.kindAt(at) != TokenKind.SEMICOLON) {
      at++;
    }
    return at;
  }

  Step simple(Scope scope) {
    if (tokens.atEnd()) {
      throw tokens.syntaxError();
    }
    String word =
        tokens.kind() == TokenKind.OPEN
            ? "SELECT"
            : tokens.token(tokens.position()).text().toUpperCase(Locale.ROOT);
    switch (word) {
      case "SET" -> {
        return set(scope);
      }
      case "LEAVE" -> {
        tokens.take("LEAVE");
        return new Step.Leave(tokens.identifier().toLowerCase(Locale.ROOT));
      }
      case "ITERATE" -> {
        tokens.take("ITERATE");
        return new Step.Iterate(tokens.identifier().toLowerCase(Locale.ROOT));
      }
      case "OPEN" -> {
        tokens.take("OPEN");
        return new Step.Open(cursor(scope));
      }
      case "CLOSE" -> {
        tokens.take("CLOSE");
        return new Step.Close(cursor(scope));
      }
      case "FETCH" -> {
        return fetch(scope);
      }
      case "SIGNAL", "RESIGNAL" -> {
        return signal(scope);
      }
      case "GET" -> {
        return diagnose(scope);
      }
      case "CALL" -> {
        return call(scope);
      }
      default -> {
        return sql(word, scope);
      }
    }
  }

  private Step sql(String word, Scope scope) {
    String text = rest();
    if (QUERIES.contains(word)) {
      return query(text, scope);
    }
    if (DATA.contains(word)) {
      return new Step.Sql(fragments.data(text, scope), true);
    }
    return new Step.Sql(
        switch (word) {
          case "DO", "KILL" -> behind(text, scope);
          case "CREATE" -> filled(text, scope);
          default -> Fragment.of(text);
        },
        false);
  }

  /** A statement that is an expression behind its first words. */
  private Fragment behind(String text, Scope scope) {
    TokenCursor all = fragments.cursor(text);
    int from = all.sees("KILL", "QUERY") || all.sees("KILL", "CONNECTION") ? 2 : 1;
    return fragments
        .expression(all.slice(from, all.size()), scope)
        .within(all.slice(0, from) + " ", "");
  }

  /** CREATE TABLE may have a query. */
  private Fragment filled(String text, Scope scope) {
    TokenCursor words = fragments.cursor(text);
    if (!words.sees("CREATE", "TABLE")) {
      return Fragment.of(text);
    }
    for (int i = 0; i < words.size(); i++) {
      if (words.seesAt(i, "SELECT") || words.seesAt(i, "WITH")) {
        String head = words.slice(0, i) + " ";
        return fragments.data(words.slice(i, words.size()), scope).within(head, "");
      }
    }
    return Fragment.of(text);
  }

  private Step query(String text, Scope scope) {
    Step asWritten = new Step.Sql(fragments.data(text, scope), true);
    Optional<Span> into = into(text);
    if (into.isEmpty()) {
      return asWritten;
    }
    TokenCursor words = fragments.cursor(into.get().of(text));
    words.expect("INTO");
    if (words.sees("OUTFILE") || words.sees("DUMPFILE")) {
      return asWritten;
    }
    List<Target> targets = targets(words, scope);
    if (targets.stream().allMatch(Target.User.class::isInstance)) {
      return asWritten;
    }
    String query = text.substring(0, into.get().start()) + " " + text.substring(into.get().end());
    return new Step.SelectInto(fragments.data(query, scope), targets);
  }

  private Optional<Span> into(String text) {
    try {
      return fragments.tree(text) instanceof Statement.Select select
          ? select.query().into()
          : Optional.empty();
    } catch (SyntaxException e) {
      return Optional.empty();
    }
  }

  private static List<Target> targets(TokenCursor words, Scope scope) {
    List<Target> targets = new ArrayList<>();
    do {
      targets.add(target(words, scope));
    } while (words.take(TokenKind.COMMA));
    return targets;
  }

  private static Target target(TokenCursor words, Scope scope) {
    if (words.kind() == TokenKind.USER_VARIABLE) {
      String name = words.token(words.position()).text();
      words.moveTo(words.position() + 1);
      return new Target.User(VariableNames.ofUserVariable(name));
    }
    int at = words.position();
    Optional<Integer> slot = scope.variable(words.identifier());
    if (slot.isEmpty()) {
      words.moveTo(at);
      throw words.syntaxError();
    }
    return new Target.Local(slot.get());
  }

  // SET

  private Step set(Scope scope) {
    int start = tokens.position();
    int end = end(start);
    int first = start + 1;
    if (tokens.seesAt(first, "SESSION") || tokens.seesAt(first, "GLOBAL")) {
      first++;
    }
    boolean other =
        first < end
            && tokens.kindAt(first) == TokenKind.WORD
            && scope.variable(tokens.token(first).name()).isEmpty()
            && OTHER_SETS.contains(tokens.token(first).text().toUpperCase(Locale.ROOT));
    if (other) {
      return new Step.Sql(Fragment.of(rest()), false);
    }
    List<Step> steps = new ArrayList<>();
    int at = start + 1;
    while (at < end) {
      int behind = Math.min(itemEnd(at, end), end);
      steps.add(assignment(at, behind, scope));
      at = behind + 1;
    }
    tokens.moveTo(end);
    return steps.size() == 1 ? steps.getFirst() : new Step.Block("", List.of(), steps);
  }

  /** The comma that ends an assignment, or the end. */
  private int itemEnd(int from, int end) {
    int depth = 0;
    for (int i = from; i < end; i++) {
      switch (tokens.kindAt(i)) {
        case OPEN -> depth++;
        case CLOSE -> depth--;
        case COMMA -> {
          if (depth == 0) {
            return i;
          }
        }
        default -> {}
      }
    }
    return end;
  }

  private Step assignment(int from, int to, Scope scope) {
    if (tokens.token(from).isName() && from + 2 < to) {
      String operator = tokens.token(from + 1).text();
      Optional<Integer> slot = scope.variable(tokens.token(from).name());
      if (slot.isPresent() && (operator.equals("=") || operator.equals(":="))) {
        return new Step.Assign(slot.get(), fragments.expression(tokens.slice(from + 2, to), scope));
      }
    }
    for (int i = from + 1; i < to; i++) {
      String operator = tokens.token(i).text();
      if (operator.equals("=") || operator.equals(":=")) {
        Fragment value = fragments.expression(tokens.slice(i + 1, to), scope);
        return new Step.Sql(value.within("SET " + tokens.slice(from, i + 1) + " ", ""), false);
      }
    }
    return new Step.Sql(Fragment.of("SET " + tokens.slice(from, to)), false);
  }

  // Cursors

  private int cursor(Scope scope) {
    int at = tokens.position();
    return scope
        .cursor(tokens.identifier())
        .orElseThrow(() -> {
          tokens.moveTo(at);
          return tokens.syntaxError();
        });
  }

  private Step fetch(Scope scope) {
    tokens.take("FETCH");
    if (tokens.sees("NEXT", "FROM")) {
      tokens.take("NEXT");
    }
    tokens.take("FROM");
    int cursor = cursor(scope);
    tokens.expect("INTO");
    return new Step.Fetch(cursor, targets(tokens, scope));
  }

  // Conditions

  /** What a handler or a name is for. */
  Condition value(Scope scope) {
    if (tokens.take("SQLSTATE")) {
      tokens.take("VALUE");
      return new Condition.State(tokens.string());
    }
    if (tokens.kind() == TokenKind.INTEGER) {
      return new Condition.Number((int) tokens.number());
    }
    if (tokens.take("SQLWARNING")) {
      return new Condition.General(Condition.Kind.SQLWARNING);
    }
    if (tokens.take("SQLEXCEPTION")) {
      return new Condition.General(Condition.Kind.SQLEXCEPTION);
    }
    if (tokens.take("NOT", "FOUND")) {
      return new Condition.General(Condition.Kind.NOT_FOUND);
    }
    int at = tokens.position();
    return scope
        .condition(tokens.identifier())
        .orElseThrow(() -> {
          tokens.moveTo(at);
          return tokens.syntaxError();
        });
  }

  private Step signal(Scope scope) {
    boolean again = tokens.take("RESIGNAL");
    if (!again) {
      tokens.expect("SIGNAL");
    }
    Optional<String> state = Optional.empty();
    if (!tokens.atEnd() && tokens.kind() != TokenKind.SEMICOLON && !tokens.sees("SET")) {
      if (!(value(scope) instanceof Condition.State given)) {
        throw tokens.syntaxError();
      }
      state = Optional.of(given.state());
    }
    List<Step.Signal.Item> items = new ArrayList<>();
    if (tokens.take("SET")) {
      do {
        String name = tokens.identifier().toUpperCase(Locale.ROOT);
        tokens.moveTo(tokens.position() + 1);
        int start = tokens.position();
        int behind = itemEnd(start, end(start));
        items.add(
            new Step.Signal.Item(name, fragments.expression(tokens.slice(start, behind), scope)));
        tokens.moveTo(behind);
      } while (tokens.take(TokenKind.COMMA));
    }
    return new Step.Signal(again, state, items);
  }

  private Step diagnose(Scope scope) {
    tokens.expect("GET");
    boolean stacked = tokens.take("STACKED");
    tokens.take("CURRENT");
    tokens.expect("DIAGNOSTICS");
    Optional<Fragment> condition = Optional.empty();
    if (tokens.take("CONDITION")) {
      int at = tokens.position();
      tokens.moveTo(at + 1);
      condition = Optional.of(fragments.expression(tokens.slice(at, at + 1), scope));
    }
    List<Step.Diagnose.Item> items = new ArrayList<>();
    do {
      Target target = target(tokens, scope);
      tokens.moveTo(tokens.position() + 1);
      items.add(new Step.Diagnose.Item(target, tokens.identifier().toUpperCase(Locale.ROOT)));
    } while (tokens.take(TokenKind.COMMA));
    return new Step.Diagnose(stacked, condition, items);
  }

  // CALL

  private Step call(Scope scope) {
    tokens.expect("CALL");
    TableName name = tokens.tableName();
    List<Step.Call.Argument> arguments = new ArrayList<>();
    if (tokens.take(TokenKind.OPEN)) {
      while (tokens.kind() != TokenKind.CLOSE) {
        int start = tokens.position();
        int behind = tokens.endOfItem(start);
        arguments.add(argument(start, behind, scope));
        tokens.moveTo(behind);
        tokens.take(TokenKind.COMMA);
      }
      tokens.expect(TokenKind.CLOSE);
    }
    return new Step.Call(name, arguments);
  }

  private Step.Call.Argument argument(int from, int to, Scope scope) {
    Fragment value = fragments.expression(tokens.slice(from, to), scope);
    Optional<Target> target = Optional.empty();
    if (to == from + 1 && tokens.kindAt(from) == TokenKind.USER_VARIABLE) {
      target =
          Optional.of(new Target.User(VariableNames.ofUserVariable(tokens.token(from).text())));
    } else if (to == from + 1 && tokens.token(from).isName()) {
      target = scope.variable(tokens.token(from).name()).map(Target.Local::new);
    }
    return new Step.Call.Argument(value, target);
  }
}
