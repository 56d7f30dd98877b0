package io.alrai.cn.text;

import io.alrai.optimizer.api.sql.WholeJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;

/**
 * A document in the form of {@link WholeJson} as an SQL expression that gives it back with the
 * types of all its values: what a mysqld reads out of a text as it was is a text, what has another
 * type is a literal of that type within JSON_ARRAY and JSON_OBJECT. Bytes become VARBINARY,
 * whatever kind of column they were of. One thread.
 */
final class JsonLiteral {
  /** Types that a text does not show. */
  private static final List<String> SPECIAL =
      List.of(
          "DECIMAL",
          "UNSIGNED INTEGER",
          "DATE",
          "TIME",
          "DATETIME",
          "TIMESTAMP",
          "BLOB",
          "BIT",
          "OPAQUE");

  private final String text;
  private final LiteralText literals;
  private int at;

  /** A value in the document. */
  private static final class Node {
    private final int start;
    private int end;

    /** The keys of an object, as written with their quotes. */
    private final List<String> keys = new ArrayList<>();

    private final List<Node> children = new ArrayList<>();
    private String type = "";
    private boolean special;

    Node(int start) {
      this.start = start;
    }
  }

  private JsonLiteral(String text, LiteralText literals) {
    this.text = text;
    this.literals = literals;
  }

  /** Appends the expression; a text without types is a document as it is. */
  static void append(byte[] value, LiteralText literals, ByteArrayOutputStream out) {
    String whole = new String(value, StandardCharsets.UTF_8);
    if (whole.isEmpty() || whole.charAt(0) != WholeJson.TYPED) {
      out.writeBytes(literals.string(whole));
      return;
    }
    int root = whole.indexOf(WholeJson.END);
    int members = whole.indexOf(WholeJson.END, root + 1);
    int elements = whole.indexOf(WholeJson.END, members + 1);
    JsonLiteral literal = new JsonLiteral(whole.substring(elements + 1), literals);
    Node document = literal.node();
    document.type = whole.substring(1, root);
    typed(
        document,
        types(whole.substring(root + 1, members)),
        types(whole.substring(members + 1, elements)));
    if (!marked(document)) {
      out.writeBytes(literals.string(literal.text));
      return;
    }
    StringBuilder sql = new StringBuilder();
    boolean scalar = document.children.isEmpty();
    sql.append(scalar ? "CAST(" : "");
    literal.write(document, sql);
    sql.append(scalar ? " AS JSON)" : "");
    out.writeBytes(sql.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Queue<String> types(String array) {
    Deque<String> types = new ArrayDeque<>();
    if (array.length() > 2) {
      for (String one : array.substring(1, array.length() - 1).split(", ")) {
        types.add(one.replace("\"", ""));
      }
    }
    return types;
  }

  /** Parents first, children from left to right. */
  private static void typed(Node node, Queue<String> members, Queue<String> elements) {
    Queue<String> types = node.keys.isEmpty() ? elements : members;
    for (Node child : node.children) {
      String type = types.poll();
      child.type = type == null ? "" : type;
    }
    node.children.forEach(child -> typed(child, members, elements));
  }

  private static boolean marked(Node node) {
    boolean special = SPECIAL.contains(node.type);
    for (Node child : node.children) {
      special |= marked(child);
    }
    node.special = special;
    return special;
  }

  private void write(Node node, StringBuilder sql) {
    if (!node.special) {
      sql.append("CAST(").append(literal(text.substring(node.start, node.end))).append(" AS JSON)");
    } else if (node.children.isEmpty()) {
      scalar(node.type, text.substring(node.start, node.end), sql);
    } else {
      sql.append(node.keys.isEmpty() ? "JSON_ARRAY(" : "JSON_OBJECT(");
      for (int i = 0; i < node.children.size(); i++) {
        sql.append(i == 0 ? "" : ",");
        if (!node.keys.isEmpty()) {
          sql.append("JSON_UNQUOTE(").append(literal(node.keys.get(i))).append("),");
        }
        write(node.children.get(i), sql);
      }
      sql.append(')');
    }
  }

  private String literal(String content) {
    return new String(literals.string(content), StandardCharsets.ISO_8859_1);
  }

  private void scalar(String type, String written, StringBuilder sql) {
    switch (type) {
      case "DECIMAL" -> sql.append(written).append(written.indexOf('.') < 0 ? "." : "");
      case "UNSIGNED INTEGER" -> sql.append("CAST(").append(written).append(" AS UNSIGNED)");
      case "DATE", "TIME" ->
          sql.append("CAST(")
              .append(literal(content(written)))
              .append(" AS ")
              .append(type)
              .append(type.equals("TIME") ? "(6))" : ")");
      case "DATETIME", "TIMESTAMP" ->
          sql.append("CAST(").append(literal(content(written))).append(" AS DATETIME(6))");
      default -> {
        String coded = content(written);
        sql.append("FROM_BASE64(")
            .append(literal(coded.substring(coded.lastIndexOf(':') + 1)))
            .append(')');
      }
    }
  }

  private static String content(String quoted) {
    return quoted.substring(1, quoted.length() - 1);
  }

  private Node node() {
    skipBlanks();
    Node node = new Node(at);
    switch (text.charAt(at)) {
      case '{' -> {
        at++;
        while (isInside('}')) {
          node.keys.add(string());
          skipBlanks();
          at++; // the colon
          node.children.add(node());
        }
      }
      case '[' -> {
        at++;
        while (isInside(']')) {
          node.children.add(node());
        }
      }
      case '"' -> string();
      default -> {
        while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
          at++;
        }
      }
    }
    node.end = at;
    return node;
  }

  /** Steps over a comma before the next item, or over the end. */
  private boolean isInside(char end) {
    skipBlanks();
    if (text.charAt(at) == ',') {
      at++;
      skipBlanks();
    }
    if (text.charAt(at) != end) {
      return true;
    }
    at++;
    return false;
  }

  private String string() {
    int from = at++;
    while (text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
    return text.substring(from, at);
  }

  private void skipBlanks() {
    while (text.charAt(at) == ' ') {
      at++;
    }
  }
}
