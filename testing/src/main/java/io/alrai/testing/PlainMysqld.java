package io.alrai.testing;

import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallations;
import io.alrai.dn.mysqld.MysqlSearch;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.TcpEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A mysqld as it comes, to compare with: no shards, no agent. Small, and its commits are not forced
 * to disk, yet they survive the death of the process. Started again by itself when it dies.
 */
public final class PlainMysqld implements AutoCloseable {
  private static final MysqldMemory SMALL = new MysqldMemory(128L << 20, 128L << 20, 100);

  private final MysqldSupervisor supervisor;
  private final int port;
  private final Optional<Path> removed;

  private PlainMysqld(MysqldSupervisor supervisor, int port, Optional<Path> removed) {
    this.supervisor = supervisor;
    this.port = port;
    this.removed = removed;
  }

  /**
   * Starts one in this directory, or the one that is there already, and waits until it answers.
   *
   * @throws io.alrai.dn.mysqld.MysqldException if there is no server to be had or it does not start
   */
  public static PlainMysqld start(Path directory) {
    return start(directory, Optional.empty());
  }

  private static PlainMysqld start(Path directory, Optional<Path> removed) {
    MysqlSearch search = MysqlSearch.fromEnvironment(System.getenv());
    DataDirectoryTemplate template =
        new DataDirectoryTemplate(
            MysqlInstallations.find(search, InstallProgress.silent()),
            search.cacheDirectory(),
            InstallProgress.silent());
    int port = Ports.free();
    Path init = directory.resolveSibling(directory.getFileName() + "-root.sql");
    MysqldConfig config =
        MysqldConfig.of(directory, 1)
            .withTcp(TcpEndpoint.loopback(port))
            .withMemory(SMALL)
            .withDurable(false)
            .withOption("init_file", init.toString())
            // Alrai asks for TRIGGER only, whoever makes a trigger
            .withOption("log_bin_trust_function_creators", "ON")
            .withOption("partial_revokes", "OFF") // which is the default
            // what a DN's mysqld does not keep
            .withOption("performance_schema_digests_size", "1000")
            .withOption("performance_schema_max_digest_length", "1024")
            .withOption("performance_schema_max_sql_text_length", "1024")
            .withOption("performance_schema_max_statement_classes", "250")
            .withOption("performance_schema_instrument", "statement/%=ON");
    MysqldInstance instance = MysqldInstance.create(template, config);
    writeAccounts(init, instance.password());
    MysqldSupervisor supervisor = new MysqldSupervisor(instance, MysqldListener.none());
    supervisor.start();
    return new PlainMysqld(supervisor, port, removed);
  }

  private static void writeAccounts(Path file, String password) {
    String agent = "'" + MysqldInstance.DDL_ACCOUNT + "'@'127.0.0.1'";
    List<String> statements =
        List.of(
            "DROP SCHEMA IF EXISTS alrai;",
            "CREATE USER IF NOT EXISTS 'root'@'127.0.0.1' IDENTIFIED BY '';",
            "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
            // whom scripts have views made by: Alrai's first account
            "CREATE USER IF NOT EXISTS 'root'@'%' ACCOUNT LOCK;",
            "GRANT ALL ON *.* TO 'root'@'%';",
            "CREATE USER IF NOT EXISTS " + agent + " IDENTIFIED BY '" + password + "';",
            "GRANT ALL ON *.* TO " + agent + " WITH GRANT OPTION;",
            // in whose name tables without a primary key have a trigger
            "GRANT ALL ON *.* TO 'alrai'@'localhost';");
    try {
      Files.write(file, statements);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one in a directory of its own that goes with it. */
  public static PlainMysqld start() {
    Path own = TestDirectories.create("plain-");
    return start(own.resolve("mysqld"), Optional.of(own));
  }

  /** Its port on 127.0.0.1; root may log in without a password. */
  public int port() {
    return port;
  }

  /** {@code mysql://...} with an account that may do everything, and this database. */
  public String url(String database) {
    return "mysql://"
        + MysqldInstance.DDL_ACCOUNT
        + ":"
        + supervisor.instance().password()
        + "@127.0.0.1:"
        + port
        + "/"
        + database;
  }

  /** Its death by kill -9, and the start after it, while clients wonder. */
  public void crash() {
    supervisor.crash();
  }

  /** Kills it; a directory that was given stays. */
  @Override
  public void close() {
    supervisor.stopNow();
    removed.ifPresent(TestDirectories::remove);
  }
}
