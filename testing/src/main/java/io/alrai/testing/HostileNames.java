package io.alrai.testing;

import io.alrai.common.sql.Sql;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hard names in place of those that statements declare, by turns: the same name for the same word
 * in all of them, so that what they do is the same.
 */
public final class HostileNames {
  private static final int LONGEST = 64;
  private static final int LONGEST_ACCOUNT = 32;

  private static final List<UnaryOperator<String>> FORMS =
      List.of(
          name -> name + "_x",
          name -> "%" + name,
          name -> name.concat("`").concat(name),
          name -> name + "'s",
          name -> name + " \"x\"",
          name -> name + ";x",
          name -> "two " + name,
          name -> name + ".x",
          name -> "U" + name.toUpperCase(Locale.ROOT),
          name -> name + "ß東",
          name -> "`.`" + name + "` UNION SELECT * FROM `v",
          name -> "-- " + name,
          name -> name + "o".repeat(Math.max(0, LONGEST - name.length())));

  private static final List<String> RESERVED =
      List.of("select", "table", "order", "group", "key", "where", "from", "primary", "check");

  /** What a text begins with that is run. */
  private static final Pattern STATEMENT =
      Pattern.compile(
          "(?is)\\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|CALL|REPLACE|SHOW|EXPLAIN)\\s.*");

  /** Statements whose texts in quotes are names. */
  private static final Pattern OF_CATALOG =
      Pattern.compile("(?is)\\s*(SHOW|DESC).*|.*(information_schema|mysql\\.|sys\\.|Client_).*");

  private final Map<String, String> names;
  private final Set<String> accounts;

  private HostileNames(Map<String, String> names, Set<String> accounts) {
    this.names = names;
    this.accounts = accounts;
  }

  /** Names stay as they are. */
  public static HostileNames none() {
    return new HostileNames(Map.of(), Set.of());
  }

  /**
   * For these statements.
   *
   * @param ascii whether no name may have another letter: the statements come in other character
   *     sets, or a mysqld shows them otherwise in what it says of privileges
   * @param seed which form which name has
   */
  public static HostileNames of(Collection<String> statements, boolean ascii, long seed) {
    Set<String> declared = new TreeSet<>();
    Set<String> accounts = new TreeSet<>();
    Set<String> functions = new TreeSet<>();
    for (String sql : statements) {
      functions.addAll(called(sql));
      DeclaredNames each = DeclaredNames.of(sql);
      declared.addAll(each.names());
      accounts.addAll(each.accounts());
      functions.addAll(each.functions());
    }
    declared.addAll(accounts);
    declared.removeAll(inSeveralCases(statements));
    boolean parents = statements.stream().anyMatch(sql -> sql.contains("REFERENCES"));
    List<UnaryOperator<String>> forms = forms(ascii, parents, !accounts.isEmpty());
    Map<String, String> names = new HashMap<>();
    long turn = seed;
    int reserved = 0;
    for (String name : declared) {
      int form = (int) Long.remainderUnsigned(turn++, forms.size() + 1);
      boolean isAccount = accounts.contains(name);
      boolean isFunction = functions.contains(name);
      if (form < forms.size()) {
        // sentences on functions that are gone have their names in lower case
        UnaryOperator<String> upper =
            isFunction ? word -> word.toLowerCase(Locale.ROOT) : UnaryOperator.identity();
        String hostile = upper.apply(forms.get(form).apply(name));
        int longest = isAccount ? LONGEST_ACCOUNT : LONGEST;
        // a blank at the end would be no part of an account's name
        names.put(name, hostile.substring(0, Math.min(longest, hostile.length())).strip());
      } else if (!isAccount && !isFunction && reserved < RESERVED.size()) {
        names.put(name, RESERVED.get(reserved++));
      }
    }
    return new HostileNames(names, accounts);
  }

  /** What is called like a function; of Alrai's own none may have a reserved word for its name. */
  private static List<String> called(String sql) {
    List<SqlToken> tokens = SqlToken.of(sql);
    return IntStream.range(1, tokens.size())
        .filter(i -> tokens.get(i).is("("))
        .mapToObj(i -> tokens.get(i - 1).content())
        .toList();
  }

  /** Which of them are the same depends on what they are names of. */
  private static Set<String> inSeveralCases(Collection<String> statements) {
    Map<String, Set<String>> words = new HashMap<>();
    for (String sql : statements) {
      for (SqlToken token : SqlToken.of(sql)) {
        if (token.kind() != SqlToken.Kind.STRING) {
          String word = token.content();
          words.computeIfAbsent(word.toLowerCase(Locale.ROOT), lower -> new HashSet<>()).add(word);
        }
      }
    }
    return words.values().stream()
        .filter(same -> same.size() > 1)
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }

  /**
   * Those that may be taken.
   *
   * @param parents whether there are foreign keys: a mysqld cuts what it says of them after 192
   *     bytes, which Alrai does elsewhere
   */
  private static List<UnaryOperator<String>> forms(
      boolean ascii, boolean parents, boolean accounts) {
    return FORMS.stream()
        .filter(form -> !accounts || form.apply("a").startsWith("a"))
        // a mysqld builds JSON of names of roles, in which it does not mask quotes
        .filter(form -> !accounts || !form.apply("a").contains("\""))
        .filter(form -> !ascii || form.apply("a").chars().allMatch(letter -> letter < 128))
        .filter(form -> !parents || form.apply("a").length() < 10)
        .toList();
  }

  /** What stands for a word. */
  public String name(String word) {
    return names.getOrDefault(word, word);
  }

  /** The statement with them. */
  public String in(String sql) {
    if (names.isEmpty()) {
      return sql;
    }
    boolean catalog = OF_CATALOG.matcher(sql).matches();
    StringBuilder text = new StringBuilder();
    List<SqlToken> tokens = SqlToken.of(sql);
    String before = "";
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      boolean introduces =
          i + 1 < tokens.size() && tokens.get(i + 1).kind() == SqlToken.Kind.STRING;
      text.append(
          switch (token.kind()) {
            case WORD -> introduces ? token.text() : word(token);
            case NAME -> word(token);
            case STRING -> string(token, catalog, before.equals("LIKE"));
            case BLANK, OTHER -> token.text();
          });
      if (token.kind() != SqlToken.Kind.BLANK) {
        before = token.text().toUpperCase(Locale.ROOT);
      }
    }
    return text.toString();
  }

  private String word(SqlToken token) {
    String hostile = names.get(token.content());
    return hostile == null ? token.text() : Sql.quote(hostile);
  }

  private String string(SqlToken token, boolean catalog, boolean pattern) {
    String content = token.content();
    String hostile = names.get(content);
    String changed = content;
    if (hostile != null && (catalog || accounts.contains(content))) {
      changed = pattern ? escaped(hostile) : hostile;
    } else if (STATEMENT.matcher(content).matches()) {
      changed = in(content);
    } else {
      for (String account : accounts) {
        if (content.contains(account) && names.containsKey(account)) {
          String value = pattern ? escaped(names.get(account)) : names.get(account);
          changed = changed.replaceAll("\\b" + account + "\\b", Matcher.quoteReplacement(value));
        }
      }
    }
    if (changed.equals(content)) {
      return token.text();
    }
    String quote = token.text().substring(0, 1);
    return quote + changed.replace(quote, quote + quote) + quote;
  }

  private static String escaped(String name) {
    return name.replace("_", "\\_").replace("%", "\\%");
  }
}
