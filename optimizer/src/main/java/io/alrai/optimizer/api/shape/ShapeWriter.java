package io.alrai.optimizer.api.shape;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StatementKind;
import io.alrai.optimizer.api.text.StringContent;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.nio.charset.StandardCharsets;

/**
 * Writes the shape of one statement after the other, token by token, and decides which literals are
 * slots: by the words and the parentheses around them, no further. In doubt a literal stays in the
 * shape. Not thread-safe.
 */
final class ShapeWriter {
  /** Deeper parentheses keep their literals. */
  private static final int MAX_DEPTH = 62;

  private static final byte[] OPEN_COMMENT = " /*".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NATIONAL = "_utf8mb3 ".getBytes(StandardCharsets.US_ASCII);

  private final TokenScanner tokens;
  private final ShapeBuffer shape = new ShapeBuffer();
  private final PositionList slots = new PositionList();
  private final RowFolder rows = new RowFolder(shape, slots);

  private byte[] sql = new byte[0];
  private int offset;
  private LexicalMode mode = LexicalMode.DEFAULT;

  // Whether the statement has no token so far.
  private boolean empty;
  private Keyword firstWord = Keyword.NONE;
  private boolean firstIsParenthesis;
  private Keyword verb = Keyword.NONE;
  private boolean slotting;
  private boolean routineBody;
  private int parameters;
  private int depth;
  private long lists;
  private long types;

  // The kind of the last token.
  private TokenKind last = TokenKind.END;
  private Keyword lastWord = Keyword.NONE;
  private int lastStart;
  private int lastEnd;
  private int lastShape;
  private boolean lastIsSlot;
  private boolean lastStoodForValue;
  private boolean valueFollows;
  private int signStart;

  // Of this token: where its text starts in the shape.
  private int tokenShape;

  /** A writer that takes its tokens from there. */
  ShapeWriter(TokenScanner tokens) {
    this.tokens = tokens;
  }

  /** The shape so far. */
  ShapeBuffer shape() {
    return shape;
  }

  /** The slots so far; a parameter's end is -1 minus its number. */
  PositionList slots() {
    return slots;
  }

  RowFolder rows() {
    return rows;
  }

  /** Whether semicolons are part of the statement. */
  boolean inRoutineBody() {
    return routineBody;
  }

  /** What the first word says. */
  StatementKind kind() {
    if (empty) {
      return StatementKind.EMPTY;
    }
    return firstIsParenthesis ? StatementKind.QUERY : firstWord.statementKind();
  }

  /** Starts a statement; its positions are counted from {@code from}. */
  void start(byte[] text, int from, LexicalMode lexicalMode) {
    sql = text;
    offset = from;
    mode = lexicalMode;
    shape.clear();
    slots.clear();
    rows.clear();
    empty = true;
    firstWord = Keyword.NONE;
    firstIsParenthesis = false;
    verb = Keyword.NONE;
    slotting = false;
    routineBody = false;
    parameters = 0;
    depth = 0;
    lists = 0;
    types = 0;
    last = TokenKind.END;
    lastWord = Keyword.NONE;
    lastIsSlot = false;
    valueFollows = false;
    signStart = -1;
  }

  /** Takes the token that the scanner has just read. */
  void accept(TokenKind kind) {
    if (empty && kind == TokenKind.HINT) {
      write();
      return;
    }
    if (lastIsSlot && isPartOfMore(kind)) {
      takeBackSlot();
    }
    Keyword word = Keyword.NONE;
    boolean isSlot = false;
    boolean follows = false;
    int sign = -1;
    switch (kind) {
      case WORD -> {
        word = keyword();
        isSlot = word(word);
        follows = word.valueFollows();
      }
      case INTEGER, DECIMAL, FLOAT -> isSlot = number(kind);
      case STRING -> isSlot = string();
      case HEX, BIT -> isSlot = literal();
      case NATIONAL_STRING -> national();
      case PARAMETER -> {
        writeSlot(tokens.start(), -1 - parameters);
        parameters++;
        isSlot = true;
      }
      case OPEN -> {
        open();
        follows = true;
      }
      case CLOSE -> close();
      case COMMA -> {
        comma();
        follows = true;
      }
      case OPERATOR -> {
        write();
        sign = valueFollows && isSign() ? tokens.start() : -1;
        follows = true;
      }
      case QUOTED -> quoted();
      case BROKEN -> broken();
      default -> write();
    }
    if (depth == 0) {
      outsideParentheses(kind, word);
    }
    if (empty) {
      empty = false;
      firstWord = word;
      firstIsParenthesis = kind == TokenKind.OPEN;
      slotting |= firstIsParenthesis;
    } else if (firstWord == Keyword.TRACE) {
      firstWord = word;
    }
    remember(kind, word, isSlot);
    valueFollows = follows;
    signStart = sign;
  }

  private void remember(TokenKind kind, Keyword word, boolean isSlot) {
    last = kind;
    lastWord = word;
    lastStart = tokens.start();
    lastEnd = tokens.end();
    lastShape = tokenShape;
    lastIsSlot = isSlot;
    lastStoodForValue = valueFollows;
  }

  /** Whether the slot before this token turns out to be a part of something that has no slot. */
  private boolean isPartOfMore(TokenKind kind) {
    if (last == TokenKind.STRING) {
      return kind == TokenKind.STRING;
    }
    return lastWord == Keyword.NULL && kind != TokenKind.COMMA && kind != TokenKind.CLOSE;
  }

  private void outsideParentheses(TokenKind kind, Keyword word) {
    boolean ofRows =
        switch (kind) {
          case COMMA, CLOSE -> true;
          case WORD -> word == Keyword.VALUES || word == Keyword.VALUE;
          default -> false;
        };
    if (!ofRows) {
      rows.other();
    }
  }

  // Words

  private Keyword keyword() {
    if (last == TokenKind.DOT) {
      return Keyword.NONE;
    }
    int start = tokens.start();
    return Keyword.of(tokens.wordKey(), tokens.end() - start, sql[start]);
  }

  /** Writes the word; returns whether it became a slot, which only NULL in a row of VALUES does. */
  private boolean word(Keyword word) {
    if (word == Keyword.NULL && depth == 1 && rows.inRow() && startsCell()) {
      writeSlot(tokens.start(), tokens.end());
      return true;
    }
    write();
    if (word == Keyword.NONE) {
      return false;
    }
    if (word.startsClause()) {
      lists &= ~bit(depth);
    } else if (word.startsList()) {
      lists |= bit(depth);
    }
    if (!slotting && word.isVerb() && (empty || isExplain(firstWord))) {
      slotting = true;
      verb = word;
    } else if (depth == 0) {
      clauseWord(word);
    }
    return false;
  }

  private boolean startsCell() {
    return last == TokenKind.OPEN || last == TokenKind.COMMA;
  }

  private void clauseWord(Keyword word) {
    boolean takesRows = verb == Keyword.INSERT || verb == Keyword.REPLACE;
    switch (word) {
      case VALUES, VALUE -> {
        if (takesRows) {
          rows.valuesSeen();
        }
      }
      case SELECT, TABLE, WITH, SET, UPDATE -> rows.noRows();
      case PROCEDURE, FUNCTION, TRIGGER, EVENT -> routineBody |= firstWord == Keyword.CREATE;
      default -> {}
    }
  }

  private static boolean isExplain(Keyword word) {
    return word == Keyword.EXPLAIN || word == Keyword.DESCRIBE || word == Keyword.DESC;
  }

  // Literals

  private boolean number(TokenKind kind) {
    boolean position =
        kind == TokenKind.INTEGER && last == TokenKind.COMMA && (lists & bit(depth)) != 0;
    if (position || (types & bit(depth)) != 0) {
      write();
      return false;
    }
    if (signStart >= 0 && !tokens.blankBefore() && mayBeSlot()) {
      replaceLastBySlot(signStart);
      return true;
    }
    return literal();
  }

  private boolean isSign() {
    byte symbol = sql[tokens.start()];
    return (symbol == '-' || symbol == '+') && tokens.end() - tokens.start() == 1;
  }

  private boolean literal() {
    if (!mayBeSlot()) {
      write();
      return false;
    }
    writeSlot(tokens.start(), tokens.end());
    return true;
  }

  /** Whether a literal that comes now stands where any expression may stand. */
  private boolean mayBeSlot() {
    return slotting && valueFollows && depth <= MAX_DEPTH;
  }

  private boolean string() {
    if (last != TokenKind.WORD || sql[lastStart] != '_') {
      return literal();
    }
    boolean binary = IntroducedString.isBinary(sql, lastStart, lastEnd);
    if (binary && slotting && lastStoodForValue && depth <= MAX_DEPTH) {
      replaceLastBySlot(lastStart);
      return true;
    }
    int start = tokens.start();
    boolean foreign =
        !IntroducedString.isAscii(sql, start, tokens.end())
            && IntroducedString.isIntroducer(sql, lastStart, lastEnd);
    if (!foreign) {
      write();
      return false;
    }
    blank();
    IntroducedString.appendInHex(sql, start, tokens.end(), mode, shape);
    return false;
  }

  private void national() {
    int start = tokens.start();
    if (IntroducedString.isAscii(sql, start, tokens.end())) {
      write();
      return;
    }
    blank();
    shape.append(NATIONAL, 0, NATIONAL.length);
    IntroducedString.appendInHex(sql, start + 1, tokens.end(), mode, shape);
  }

  // Punctuation

  private void open() {
    blank();
    if (depth == 0) {
      rows.opened(tokens.start() - offset);
    }
    shape.append('(');
    depth++;
    long bit = bit(depth);
    lists &= ~bit;
    if (last == TokenKind.WORD && lastWord.isType()) {
      types |= bit;
    } else {
      types &= ~bit;
    }
  }

  private void close() {
    write();
    depth = Math.max(0, depth - 1);
    if (depth == 0) {
      rows.closed(tokens.end() - offset);
    }
  }

  private void comma() {
    if (depth == 0) {
      rows.comma();
    }
    write();
  }

  private static long bit(int depth) {
    return 1L << Math.min(depth, 63);
  }

  // Writing

  private void write() {
    blank();
    shape.append(sql, tokens.start(), tokens.end());
  }

  /** A sign or an introducer and this token are one slot. */
  private void replaceLastBySlot(int start) {
    tokenShape = lastShape;
    shape.cutTo(tokenShape);
    appendSlot(start - offset, tokens.end() - offset);
  }

  private void writeSlot(int start, int slotEnd) {
    blank();
    appendSlot(start - offset, slotEnd < 0 ? slotEnd : slotEnd - offset);
  }

  private void appendSlot(int start, int slotEnd) {
    if (TokenScanner.isNamePart(shape.last())) {
      shape.append(' ');
      tokenShape++;
    }
    shape.append('?');
    slots.add(start, slotEnd);
  }

  /** Writes the blank that separates this token from the one before, where one is wanted. */
  private void blank() {
    byte before = shape.last();
    byte first = sql[tokens.start()];
    if (tokens.blankBefore()) {
      if (before != '(' && before != ',' && first != ',' && first != ')' && shape.length() > 0) {
        shape.append(' ');
      }
    } else if (before == '?' && TokenScanner.isNamePart(first)) {
      shape.append(' ');
    }
    tokenShape = shape.length();
  }

  /** A conditional comment's marks are not in the shape; one that never ends is left open. */
  private void broken() {
    if (tokens.start() < tokens.end()) {
      write();
      return;
    }
    shape.append(OPEN_COMMENT, 0, OPEN_COMMENT.length);
    tokenShape = shape.length();
  }

  private void quoted() {
    if (sql[tokens.start()] == '`') {
      write();
      return;
    }
    blank();
    shape.append('`');
    LexicalMode plain = new LexicalMode(mode.charset(), true, true);
    byte[] name = StringContent.unquote(sql, tokens.start(), tokens.end(), plain);
    for (byte b : name) {
      shape.append(b);
      if (b == '`') {
        shape.append('`');
      }
    }
    shape.append('`');
  }

  private void takeBackSlot() {
    int slot = slots.count() - 1;
    int start = slots.start(slot) + offset;
    int slotEnd = slots.end(slot) + offset;
    shape.cutTo(lastShape);
    shape.append(sql, start, slotEnd);
    slots.cutTo(slot);
    lastIsSlot = false;
  }
}
