package io.alrai.common.id;

/** The form of names of nodes and DNs: 1 to 32 letters, digits and dashes. */
final class Names {
  private static final int LONGEST = 32;

  private Names() {}

  static boolean valid(String name) {
    int length = name.length();
    if (length == 0 || length > LONGEST) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = name.charAt(i);
      boolean fine =
          c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-';
      if (!fine) {
        return false;
      }
    }
    return true;
  }
}
