package io.alrai.dn.mysqld;

/** Servers whose account for global variables may do everything: what tests arrange runs there. */
public final class TestAccounts {
  /** What an account may do by a role stays when its privileges are set. */
  private static final String EVERYTHING =
      """
      CREATE ROLE everything;
      GRANT ALL ON *.* TO everything WITH GRANT OPTION;
      CREATE USER 'alrai_admin'@'localhost' DEFAULT ROLE everything ACCOUNT LOCK;
      """;

  private TestAccounts() {}

  /** A template of its own; the other accounts are as they always are. */
  public static DataDirectoryTemplate template(InstallProgress progress) {
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    return new DataDirectoryTemplate(
        MysqlInstallations.find(search, progress), search.cacheDirectory(), progress, EVERYTHING);
  }
}
