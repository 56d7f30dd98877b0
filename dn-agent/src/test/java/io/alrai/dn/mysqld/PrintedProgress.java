package io.alrai.dn.mysqld;

/** Prints the steps. */
final class PrintedProgress implements InstallProgress {
  @Override
  public void step(String sentence) {
    System.out.println(sentence);
  }

  @Override
  public void bytes(long done, long total) {
    System.out.println(done + " of " + total + " bytes");
  }
}
