package io.alrai.dn.fetch;

/**
 * A version of a Debian package, in the order of deb-version(7): epoch, upstream version, revision.
 *
 * @param text as the archive has it, {@code 1:1.3.1-2} for example
 */
record DebianVersion(String text) implements Comparable<DebianVersion> {

  @Override
  public int compareTo(DebianVersion other) {
    int byEpoch = Integer.compare(epoch(), other.epoch());
    if (byEpoch != 0) {
      return byEpoch;
    }
    int byUpstream = compareParts(upstream(), other.upstream());
    return byUpstream != 0 ? byUpstream : compareParts(revision(), other.revision());
  }

  /** Whether it stands in this relation, one of {@code << <= = >= >>}, to another. */
  boolean is(String relation, DebianVersion other) {
    int order = compareTo(other);
    return switch (relation) {
      case "<<" -> order < 0;
      case "<=" -> order <= 0;
      case "=" -> order == 0;
      case ">=" -> order >= 0;
      case ">>" -> order > 0;
      default -> false;
    };
  }

  private int epoch() {
    int colon = text.indexOf(':');
    String digits = colon < 0 ? "" : text.substring(0, colon);
    return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
  }

  private String withoutEpoch() {
    return text.substring(text.indexOf(':') + 1);
  }

  private String upstream() {
    String rest = withoutEpoch();
    int dash = rest.lastIndexOf('-');
    return dash < 0 ? rest : rest.substring(0, dash);
  }

  private String revision() {
    String rest = withoutEpoch();
    int dash = rest.lastIndexOf('-');
    return dash < 0 ? "" : rest.substring(dash + 1);
  }

  /** Runs of other characters and runs of digits in turn. */
  private static int compareParts(String left, String right) {
    int i = 0;
    int j = 0;
    while (i < left.length() || j < right.length()) {
      while (isOther(left, i) || isOther(right, j)) {
        int order = Integer.compare(rank(left, i), rank(right, j));
        if (order != 0) {
          return order;
        }
        i++;
        j++;
      }
      int endOfLeft = endOfDigits(left, i);
      int endOfRight = endOfDigits(right, j);
      int order = compareNumbers(left.substring(i, endOfLeft), right.substring(j, endOfRight));
      if (order != 0) {
        return order;
      }
      i = endOfLeft;
      j = endOfRight;
    }
    return 0;
  }

  private static boolean isOther(String text, int index) {
    return index < text.length() && !isDigit(text.charAt(index));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** A tilde before the end, the end and digits before letters, letters before the rest. */
  private static int rank(String text, int index) {
    if (index >= text.length() || isDigit(text.charAt(index))) {
      return 0;
    }
    char c = text.charAt(index);
    if (c == '~') {
      return -1;
    }
    return Character.isLetter(c) ? c : c + 256;
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return Math.min(end, text.length());
  }

  private static int compareNumbers(String left, String right) {
    String one = left.replaceFirst("^0+", "");
    String two = right.replaceFirst("^0+", "");
    int byLength = Integer.compare(one.length(), two.length());
    return byLength != 0 ? byLength : one.compareTo(two);
  }

  @Override
  public String toString() {
    return text;
  }
}
