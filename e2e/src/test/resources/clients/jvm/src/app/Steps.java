package app;

import java.sql.SQLException;
import java.util.concurrent.Callable;

/** Tells the outcome of each step in one line. */
final class Steps {
  static void step(String n, Callable<?> c) {
    try {
      System.out.println(n + " -> " + c.call());
    } catch (Exception e) {
      Throwable r = e;
      while (r.getCause() != null && r.getCause() != r) r = r.getCause();
      String m = String.valueOf(r.getMessage());
      System.out.println(
          n
              + " !! "
              + e.getClass().getSimpleName()
              + " "
              + (r instanceof SQLException s ? s.getErrorCode() + " " + s.getSQLState() : "")
              + " "
              + m.substring(0, Math.min(250, m.length())).replace('\n', ' '));
    }
  }
}
