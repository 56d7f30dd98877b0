package io.alrai.optimizer.api.routine;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.routine.Step.Condition;
import io.alrai.optimizer.api.routine.Step.Target;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.VariableNames;
import io.alrai.optimizer.syntax.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statements of a body that hold no others. */
final class StatementReader {
  private static final Set<String> DATA =
      Set.of("SELECT", "WITH", "TABLE", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE");
  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "TABLE", "VALUES");
  private static final Set<String> OTHER_SETS =
      Set.of("TRANSACTION", "NAMES", "CHARACTER", "CHARSET", "PASSWORD", "ROLE", "DEFAULT");

  private static final Pattern STATE = Pattern.compile("[0-9A-Z]{5}");
  private static final Set<TokenKind> NO_VALUE =
      EnumSet.of(TokenKind.OPERATOR, TokenKind.OPEN, TokenKind.CLOSE, TokenKind.SEMICOLON);

  /** What SIGNAL may say of a condition. */
  private static final Set<String> SIGNALLED =
      Set.of(
          "CLASS_ORIGIN",
          "SUBCLASS_ORIGIN",
          "MESSAGE_TEXT",
          "MYSQL_ERRNO",
          "CONSTRAINT_CATALOG",
          "CONSTRAINT_SCHEMA",
          "CONSTRAINT_NAME",
          "CATALOG_NAME",
          "SCHEMA_NAME",
          "TABLE_NAME",
          "COLUMN_NAME",
          "CURSOR_NAME");

  /** What GET DIAGNOSTICS tells of a condition. */
  private static final Set<String> OF_ONE =
      Stream.concat(SIGNALLED.stream(), Stream.of("RETURNED_SQLSTATE"))
          .collect(Collectors.toUnmodifiableSet());

  /** What it tells of a statement. */
  private static final Set<String> OF_ALL = Set.of("NUMBER", "ROW_COUNT");

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
      case "RETURN" -> {
        tokens.take("RETURN");
        return new Step.Return(fragments.expression(rest(), scope));
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

  /** A statement that is an expression after its first words. */
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
    if (!words.sees("CREATE", "TABLE") && !words.sees("CREATE", "TEMPORARY", "TABLE")) {
      return Fragment.of(text);
    }
    for (int i = 0; i < words.size(); i++) {
      if (words.seesAt(i, "SELECT") || words.seesAt(i, "WITH")) {
        int query = i;
        while (words.kindAt(query - 1) == TokenKind.OPEN) {
          query--;
        }
        String head = words.slice(0, query) + " ";
        return fragments.data(words.slice(query, words.size()), scope).within(head, "");
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
    String name = words.identifier();
    return scope
        .variable(name)
        .map(Target.Local::new)
        .orElseThrow(() ->
            new AlraiException(ErrorCode.ER_SP_UNDECLARED_VAR, "Undeclared variable: " + name));
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
      String state = tokens.string();
      if (!STATE.matcher(state).matches() || state.startsWith("00")) {
        throw new AlraiException(ErrorCode.ER_SP_BAD_SQLSTATE, "Bad SQLSTATE: '" + state + "'");
      }
      return new Condition.State(state);
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
    String name = tokens.identifier();
    return scope
        .condition(name)
        .orElseThrow(() ->
            new AlraiException(ErrorCode.ER_SP_COND_MISMATCH, "Undefined CONDITION: " + name));
  }

  /** SIGNAL, RESIGNAL or GET DIAGNOSTICS. */
  Step.OnConditions onConditions(Scope scope) {
    return tokens.sees("GET") ? diagnose(scope) : signal(scope);
  }

  private Step.Signal signal(Scope scope) {
    boolean again = tokens.take("RESIGNAL");
    if (!again) {
      tokens.expect("SIGNAL");
    }
    Optional<String> state = Optional.empty();
    boolean bare = tokens.atEnd() || tokens.kind() == TokenKind.SEMICOLON || tokens.sees("SET");
    if (!bare || !again) {
      int at = tokens.position();
      if (!(value(scope) instanceof Condition.State given)) {
        tokens.moveTo(at);
        throw tokens.syntaxError();
      }
      state = Optional.of(given.state());
    }
    return new Step.Signal(again, state, tokens.take("SET") ? said(scope) : List.of());
  }

  private List<Step.Signal.Item> said(Scope scope) {
    List<Step.Signal.Item> items = new ArrayList<>();
    do {
      String name = item(SIGNALLED);
      if (items.stream().anyMatch(each -> each.name().equals(name))) {
        throw new AlraiException(
            ErrorCode.ER_DUP_SIGNAL_SET, "Duplicate condition information item '" + name + "'");
      }
      equalSign();
      items.add(new Step.Signal.Item(name, plainValue(scope)));
    } while (tokens.take(TokenKind.COMMA));
    return items;
  }

  /** The name of an item, in upper case. */
  private String item(Set<String> known) {
    int at = tokens.position();
    String name = tokens.identifier().toUpperCase(Locale.ROOT);
    if (!known.contains(name)) {
      tokens.moveTo(at);
      throw tokens.syntaxError();
    }
    return name;
  }

  private void equalSign() {
    if (!tokens.takeOperator("=")) {
      throw tokens.syntaxError();
    }
  }

  /** A literal or a variable. */
  private Fragment plainValue(Scope scope) {
    int start = tokens.position();
    int behind = itemEnd(start, end(start));
    for (int i = start; i < behind || i == start; i++) {
      boolean literal = i < behind && !NO_VALUE.contains(tokens.kindAt(i));
      if (!literal) {
        tokens.moveTo(i);
        throw tokens.syntaxError();
      }
    }
    tokens.moveTo(behind);
    return fragments.expression(tokens.slice(start, behind), scope);
  }

  private Step.Diagnose diagnose(Scope scope) {
    tokens.expect("GET");
    boolean stacked = tokens.take("STACKED");
    if (!stacked) {
      tokens.take("CURRENT");
    }
    tokens.expect("DIAGNOSTICS");
    Optional<Fragment> condition = Optional.empty();
    if (tokens.take("CONDITION")) {
      int at = tokens.position();
      if (tokens.atEnd() || NO_VALUE.contains(tokens.kind())) {
        throw tokens.syntaxError();
      }
      tokens.moveTo(at + 1);
      String number = "CAST(" + tokens.slice(at, at + 1) + " AS SIGNED)";
      condition = Optional.of(fragments.expression(number, scope));
    }
    List<Step.Diagnose.Item> items = new ArrayList<>();
    do {
      Target target = target(tokens, scope);
      equalSign();
      items.add(new Step.Diagnose.Item(target, item(condition.isEmpty() ? OF_ALL : OF_ONE)));
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
