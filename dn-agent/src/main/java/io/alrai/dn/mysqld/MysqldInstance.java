package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's directory, ready to be started. Values, but for {@link #joinsGroup}: what runs is the
 * {@link MysqldSupervisor}'s. Any thread.
 */
public final class MysqldInstance {
  /** The account of the agent's own work; nothing that comes from elsewhere runs there. */
  public static final String AGENT_ACCOUNT = "alrai_agent";

  /** The account that definitions run under. */
  public static final String DDL_ACCOUNT = "alrai";

  /** The account for global variables, triggers, functions and procedures. */
  public static final String ADMIN_ACCOUNT = "alrai_admin";

  /** The account that clients' statements run under: rights on data only. */
  public static final String DATA_ACCOUNT = "alrai_data";

  /** The account that ends statements of the others, and does nothing else. */
  public static final String KILL_ACCOUNT = "alrai_kill";

  /** The account that other members of a group clone from. */
  public static final String CLONE_ACCOUNT = "alrai_clone";

  /** The account that sees logical schemas only; without privileges at first. */
  public static final String META_ACCOUNT = "alrai_meta";

  private static final int PASSWORD_BYTES = 24;
  private static final Pattern SERVER_UUID = Pattern.compile("server[-_]uuid\\s*=\\s*(\\S+)");

  private final DataDirectoryTemplate template;
  private volatile MysqldConfig config;
  private final InstanceFiles files;
  private final String password;

  private MysqldInstance(
      DataDirectoryTemplate template, MysqldConfig config, InstanceFiles files, String password) {
    this.template = template;
    this.config = config;
    this.files = files;
    this.password = password;
  }

  /**
   * Makes the instance, or opens it when its data directory is there already. A crash at any moment
   * leaves nothing that a second call would take for an instance.
   *
   * @throws MysqldException IN_USE while another process makes or runs it; DISK_FULL, PERMISSION,
   *     IO; or why the template cannot be prepared
   */
  public static MysqldInstance create(DataDirectoryTemplate template, MysqldConfig config) {
    InstanceFiles files = new InstanceFiles(config.directory());
    FileTrees.createPrivate(files.directory());
    if (!Files.isDirectory(files.data())) {
      try (PathLock _ = lock(files)) {
        makeData(template, files);
      }
    }
    FileTrees.createPrivate(files.files());
    FileTrees.createPrivate(files.tmp());
    return new MysqldInstance(template, config, files, password(files));
  }

  private static void makeData(DataDirectoryTemplate template, InstanceFiles files) {
    ClonedData.putInPlace(files);
    if (!Files.isDirectory(files.data())) {
      template.copyTo(files.data());
      noteZones(files);
    }
  }

  /** Whether {@link #create} would open an instance and make none. */
  public static boolean isThere(MysqldConfig config) {
    InstanceFiles files = new InstanceFiles(config.directory());
    return Files.isDirectory(files.data()) || ClonedData.isThere(files);
  }

  /** Held by who makes or runs the server. */
  static PathLock lock(InstanceFiles files) {
    return PathLock.tryAcquire(files.lock())
        .orElseThrow(() ->
            new MysqldException(
                Reason.IN_USE,
                "another Alrai process uses "
                    + files.directory()
                    + ": stop it first, or choose another directory"));
  }

  private static String password(InstanceFiles files) {
    Path file = files.password();
    try {
      if (!Files.exists(file)) {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.deleteIfExists(unfinished);
        writePrivate(unfinished, password);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      throw FileTrees.failure("write", file, e);
    }
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text, StandardOpenOption.SYNC, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /**
   * Everything that must be so before each launch: no stale socket, whose lock file could name a
   * process number that somebody else has by now; the directory of a short socket path, which a
   * reboot may have swept away; empty tmp; the statements that set the accounts, and the time zones
   * where the server does not have these, unless it reads another init-file. A member of a group
   * that has no data directory any more begins with an empty one: it gets its rows from others.
   */
  void prepareLaunch() {
    try {
      if (config.group()) {
        makeData(template, files);
      }
      FileTrees.delete(files.tmp());
      FileTrees.createPrivate(files.tmp());
      prepareSocketDirectory();
      Files.deleteIfExists(files.socket());
      Files.deleteIfExists(files.socketLock());
      Files.deleteIfExists(files.pid());
      Files.deleteIfExists(files.accounts());
      if (!config.hasInitFile()) {
        String accounts =
            AccountStatements.render(
                password, clonePassword(), config.tcp().isPresent(), config.semiSync());
        // of an earlier version, or of a Java that knew others
        String zones = hasZones() ? "" : TimeZones.statements();
        writePrivate(files.accounts(), accounts + zones);
      }
    } catch (IOException e) {
      throw FileTrees.failure("prepare", files.directory(), e);
    }
  }

  /** After the server has read the accounts, so that the password lies in one file only. */
  void forgetAccountStatements() {
    try {
      Files.deleteIfExists(files.accounts());
    } catch (IOException e) {
      throw FileTrees.failure("delete", files.accounts(), e);
    }
    if (!config.hasInitFile() && !hasZones()) {
      noteZones(files);
    }
  }

  private boolean hasZones() {
    try {
      return Files.exists(files.zones())
          && Files.readString(files.zones()).equals(TimeZones.version());
    } catch (IOException e) {
      throw FileTrees.failure("read", files.zones(), e);
    }
  }

  private static void noteZones(InstanceFiles files) {
    try {
      Files.writeString(files.zones(), TimeZones.version());
    } catch (IOException e) {
      throw FileTrees.failure("write", files.zones(), e);
    }
  }

  private void prepareSocketDirectory() throws IOException {
    Path directory = files.socket().getParent();
    if (directory == null || directory.equals(files.directory())) {
      return;
    }
    FileTrees.createPrivate(directory);
    boolean ours =
        Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
                .equals(Files.getOwner(files.directory()))
            && Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)
                .equals(Set.copyOf(PosixFilePermissions.fromString("rwx------")));
    if (!ours) {
      throw new MysqldException(
          Reason.PERMISSION, directory + " belongs to somebody else or is open to others");
    }
  }

  InstanceFiles files() {
    return files;
  }

  /** The server program. */
  public MysqlInstallation installation() {
    return template.installation();
  }

  /** What it is started with. */
  public MysqldConfig config() {
    return config;
  }

  /** The DN's only server becomes one of a group, from its next launch on. */
  public void joinsGroup() {
    config = config.withGroup();
  }

  /** The server's data directory. */
  public Path dataDirectory() {
    return files.data();
  }

  /** The server's name for itself; empty before its first start. */
  public Optional<UUID> serverUuid() {
    Path file = files.data().resolve("auto.cnf");
    try {
      Matcher found = SERVER_UUID.matcher(Files.exists(file) ? Files.readString(file) : "");
      return found.find() ? Optional.of(UUID.fromString(found.group(1))) : Optional.empty();
    } catch (IOException e) {
      throw FileTrees.failure("read", file, e);
    }
  }

  /** Where it answers; short enough for every client. */
  public Path socketPath() {
    return files.socket();
  }

  /** What the server logs. */
  public Path errorLog() {
    return files.errorLog();
  }

  /** The password of all accounts; ASCII letters, digits, - and _. */
  public String password() {
    return password;
  }

  /**
   * The password of {@link #CLONE_ACCOUNT}, which others are given: it does not give {@link
   * #password}.
   */
  public String clonePassword() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((CLONE_ACCOUNT + " " + password).getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "MysqldInstance[" + files.directory() + ", MySQL " + installation().version() + "]";
  }
}
