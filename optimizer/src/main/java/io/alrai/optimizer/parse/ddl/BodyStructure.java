package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.parse.ddl.DdlTokens.Kind;
import io.alrai.optimizer.parse.ddl.DdlTokens.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Where the statements of a stored program's body begin, and that the text ends with it: what comes
 * after would be a statement of its own for a mysqld, which nobody has checked. So whatever could
 * be read in two ways is refused, above all END and BEGIN as names without quotes (MySQL Reference
 * Manual, "Compound Statement Syntax").
 */
final class BodyStructure {
  /** Words after which an expression goes on: END is a name there. */
  private static final Set<String> OPERAND_FOLLOWS =
      Set.of(
          "CASE",
          "WHEN",
          "THEN",
          "ELSE",
          "AND",
          "OR",
          "XOR",
          "NOT",
          "DIV",
          "MOD",
          "LIKE",
          "RLIKE",
          "REGEXP",
          "BETWEEN",
          "IN",
          "IS",
          "INTERVAL",
          "COLLATE",
          "BINARY",
          "ESCAPE",
          "AS",
          "USING",
          "FROM",
          "FOR",
          "DISTINCT",
          "ALL",
          "ANY",
          "SOME",
          "OF",
          "ROW",
          "EXISTS",
          "MEMBER",
          "SOUNDS");

  private final DdlCursor cursor;
  private final Deque<Frame> open = new ArrayDeque<>();
  private final List<Integer> statements = new ArrayList<>();
  private final Map<Integer, Integer> scopes = new HashMap<>();
  private int at;
  private int depth;

  /** What END closes. */
  private enum Form {
    BLOCK(""),
    IF("IF"),
    CASE("CASE"),
    LOOP("LOOP"),
    WHILE("WHILE"),
    REPEAT("REPEAT"),
    /** CASE within an expression. */
    CHOICE("");

    private final String behindEnd;

    Form(String behindEnd) {
      this.behindEnd = behindEnd;
    }
  }

  /** Something that is open, within how many parentheses it began, and what it declares. */
  private record Frame(Form form, int depth, List<Integer> declarations) {}

  private BodyStructure(DdlCursor cursor) {
    this.cursor = cursor;
    this.at = cursor.position();
  }

  /**
   * Reads from the cursor's token to the end of the text.
   *
   * @throws AlraiException 1064 where the body does not end with the text, 1235 for names that
   *     could be read in two ways
   */
  static BodyStructure read(DdlCursor cursor) {
    BodyStructure structure = new BodyStructure(cursor);
    structure.read();
    return structure;
  }

  /** The indexes of the tokens that statements begin with, labels left out. */
  List<Integer> statements() {
    return statements;
  }

  /** The index after the block in which a declaration, given by its first token, counts. */
  int scopeEnd(int declaration) {
    return scopes.getOrDefault(declaration, declaration);
  }

  private void read() {
    boolean begins = true;
    while (at < cursor.size()) {
      begins = begins ? statement() : inside();
    }
    if (begins || !open.isEmpty() || depth != 0) {
      throw error();
    }
  }

  private AlraiException error() {
    cursor.moveTo(Math.min(at, cursor.size()));
    return cursor.syntaxError();
  }

  private static AlraiException unclear(String what) {
    return DdlParser.notSupported(what, "; write the name in backquotes, or choose another one");
  }

  private boolean top(Form form) {
    return !open.isEmpty() && open.peek().form == form && open.peek().depth == depth;
  }

  /** Where a statement may begin; returns whether another one may begin after. */
  private boolean statement() {
    if (isLabel()) {
      at += 2;
      return true;
    }
    String word = word(at);
    switch (word) {
      case "END" -> {
        close();
        return false;
      }
      case "ELSE" -> {
        if (!top(Form.IF) && !top(Form.CASE)) {
          throw error();
        }
        at++;
        return true;
      }
      case "ELSEIF", "WHEN", "UNTIL" -> {
        if (!top(word.equals("UNTIL") ? Form.REPEAT : word.equals("WHEN") ? Form.CASE : Form.IF)) {
          throw error();
        }
        at++;
        return false;
      }
      default -> {
        statements.add(at);
        return beginning(word);
      }
    }
  }

  private boolean beginning(String word) {
    switch (word) {
      case "BEGIN" -> open.push(new Frame(Form.BLOCK, depth, new ArrayList<>()));
      case "IF" -> open.push(new Frame(Form.IF, depth, new ArrayList<>()));
      case "CASE" -> open.push(new Frame(Form.CASE, depth, new ArrayList<>()));
      case "LOOP" -> open.push(new Frame(Form.LOOP, depth, new ArrayList<>()));
      case "WHILE" -> open.push(new Frame(Form.WHILE, depth, new ArrayList<>()));
      case "REPEAT" -> open.push(new Frame(Form.REPEAT, depth, new ArrayList<>()));
      case "DECLARE" -> {
        return declaration();
      }
      default -> {
        if (cursor.seesSymbolAt(at, "(")) {
          return false; // a query in parentheses
        }
        if (word.isEmpty()) {
          throw error();
        }
      }
    }
    at++;
    return word.equals("BEGIN") || word.equals("LOOP") || word.equals("REPEAT");
  }

  /** The statement of a handler follows its conditions. */
  private boolean declaration() {
    if (!top(Form.BLOCK)) {
      throw error();
    }
    open.peek().declarations.add(at);
    at++;
    boolean handler = cursor.seesAt(at + 1, "HANDLER", "FOR");
    if (!handler) {
      return false;
    }
    at += 3;
    do {
      condition();
    } while (takeComma());
    return true;
  }

  private void condition() {
    if (cursor.seesAt(at, "SQLSTATE")) {
      at += cursor.seesAt(at + 1, "VALUE") ? 3 : 2;
    } else {
      at += cursor.seesAt(at, "NOT", "FOUND") ? 2 : 1;
    }
    if (at > cursor.size()) {
      throw error();
    }
  }

  private boolean takeComma() {
    boolean comma = cursor.seesSymbolAt(at, ",");
    at += comma ? 1 : 0;
    return comma;
  }

  private boolean isLabel() {
    Kind kind = cursor.token(at).kind();
    return (kind == Kind.WORD || kind == Kind.QUOTED)
        && cursor.seesSymbolAt(at + 1, ":")
        && !cursor.seesSymbolAt(at + 2, "=");
  }

  /** After the first word of a statement; returns whether another one may begin after. */
  private boolean inside() {
    Token token = cursor.token(at);
    if (token.kind() == Kind.SYMBOL) {
      return symbol(token.value());
    }
    String word = word(at);
    switch (word) {
      case "CASE" -> open.push(new Frame(Form.CHOICE, depth, new ArrayList<>()));
      case "THEN" -> {
        at++;
        if (top(Form.CHOICE)) {
          return false;
        }
        if (!top(Form.IF) && !top(Form.CASE)) {
          at--;
          throw error();
        }
        return true;
      }
      case "DO" -> {
        if (!top(Form.WHILE)) {
          throw error();
        }
        at++;
        return true;
      }
      case "ELSE", "WHEN" -> {
        if (!top(Form.CHOICE) && !(word.equals("WHEN") && top(Form.CASE))) {
          throw error();
        }
      }
      case "END" -> {
        if (!isOperand(at - 1) || (!top(Form.CHOICE) && !top(Form.REPEAT))) {
          throw unclear("END as a name in the body of a stored program");
        }
        close();
        return false;
      }
      case "BEGIN" -> throw unclear("BEGIN as a name in the body of a stored program");
      case "ELSEIF", "LOOP", "WHILE" -> throw error();
      default -> {}
    }
    at++;
    return false;
  }

  private boolean symbol(String symbol) {
    switch (symbol) {
      case "(" -> depth++;
      case ")" -> {
        depth--;
        if (depth < 0) {
          throw error();
        }
      }
      case "{", "}" -> throw unclear("braces in the body of a stored program");
      case ";" -> {
        if (depth != 0 || open.isEmpty() || open.peek().form == Form.CHOICE) {
          throw error();
        }
        at++;
        return true;
      }
      default -> {}
    }
    at++;
    return false;
  }

  /** At END: steps over all that belongs to it. */
  private void close() {
    if (open.isEmpty() || open.peek().depth != depth) {
      throw error();
    }
    Frame closed = open.pop();
    Form form = closed.form;
    for (int declaration : closed.declarations) {
      scopes.put(declaration, at);
    }
    at++;
    if (form == Form.CHOICE) {
      return;
    }
    if (!form.behindEnd.isEmpty()) {
      if (!cursor.seesAt(at, form.behindEnd)) {
        throw error();
      }
      at++;
    }
    boolean label = at < cursor.size() && cursor.token(at).kind() != Kind.SYMBOL;
    at += label ? 1 : 0;
    if (at < cursor.size() && (open.isEmpty() || !cursor.seesSymbolAt(at, ";"))) {
      throw error();
    }
  }

  private boolean isOperand(int index) {
    Token token = cursor.token(index);
    return switch (token.kind()) {
      case STRING, NUMBER, QUOTED -> true;
      case SYMBOL -> token.value().equals(")");
      case WORD -> !OPERAND_FOLLOWS.contains(word(index));
    };
  }

  /** In upper case; empty for what is no bare word, or a column's name after a dot. */
  private String word(int index) {
    boolean bare = cursor.token(index).kind() == Kind.WORD;
    boolean column = index > 0 && cursor.seesSymbolAt(index - 1, ".");
    return bare && !column ? cursor.token(index).value().toUpperCase(Locale.ROOT) : "";
  }
}
