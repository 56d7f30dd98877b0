package io.alrai.cn.process;

import io.alrai.dn.mysqld.InstallProgress;
import java.io.PrintStream;

/** Progress on a terminal: one line for each step, a bar for what has a size. */
public final class ConsoleProgress implements InstallProgress {
  private static final int WIDTH = 30;

  private final PrintStream out;
  private final boolean terminal;
  private boolean bar;

  public ConsoleProgress(PrintStream out) {
    this.out = out;
    this.terminal = System.console() != null && System.console().isTerminal();
  }

  @Override
  public void step(String sentence) {
    endBar();
    out.println(sentence);
  }

  @Override
  public void bytes(long done, long total) {
    show(done, total, String.format("%,d of %,d KB", done >> 10, total >> 10));
  }

  /** How far something countable is. */
  public void count(long done, long total, String what) {
    show(done, total, String.format("%,d of %,d %s", done, total, what));
  }

  private void show(long done, long total, String text) {
    if (!terminal) {
      return;
    }
    int filled = (int) (WIDTH * Math.min(done, total) / Math.max(total, 1));
    out.print("\r[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + text + "  ");
    out.flush();
    bar = done < total;
    if (!bar) {
      out.println();
    }
  }

  private void endBar() {
    if (bar) {
      out.println();
      bar = false;
    }
  }
}
