package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Downloads packages of Debian unstable with everything they need, their own C library included,
 * and unpacks them, without root and without touching the machine's own package lists: apt-get gets
 * lists, cache and status of its own below a work directory. Machine-wide apt settings, such as a
 * proxy, do hold. Blocking; one thread.
 */
public final class DebianPackages {
  /** Only helper scripts that we never run need these. */
  private static final Pattern NOT_UNPACKED = Pattern.compile("(perl|libperl|libdb5|libgdbm).*");

  /** A line of --print-uris: 'address' file size checksum. */
  private static final Pattern PACKAGE_LINE = Pattern.compile("^'[^']+' \\S+ (\\d+) \\S*");

  private static final Duration BOUND = Duration.ofMinutes(30);

  private final DebianSource source;
  private final List<String> wanted;
  private final Path work;
  private final InstallProgress progress;
  private long mostSeen;

  /**
   * Uses {@code work} for everything but the unpacked files.
   *
   * @param wanted names of packages
   */
  public DebianPackages(
      DebianSource source, List<String> wanted, Path work, InstallProgress progress) {
    this.source = source;
    this.wanted = List.copyOf(wanted);
    this.work = work;
    this.progress = progress;
  }

  /**
   * @throws MysqldException TOOL_MISSING when this machine has not what is needed
   */
  public static void requireTools(DebianSource source) {
    String instead =
        ". Install a MySQL server of at least "
            + MysqlVersion.OLDEST
            + " instead and set ALRAI_MYSQLD to its mysqld";
    for (Path tool : List.of(source.aptGet(), source.dpkgDeb())) {
      if (!Files.isExecutable(tool)) {
        throw new MysqldException(
            Reason.TOOL_MISSING,
            "MySQL cannot be fetched here, there is no " + tool.getFileName() + instead);
      }
    }
    if (!Files.isReadable(source.keyring())) {
      throw new MysqldException(
          Reason.TOOL_MISSING,
          "MySQL cannot be fetched here, "
              + source.keyring()
              + " is missing (package debian-archive-keyring)"
              + instead);
    }
  }

  /**
   * Everything into {@code root}.
   *
   * @throws MysqldException FETCH_FAILED when they cannot be had, DISK_FULL, PERMISSION
   */
  public void unpackInto(Path root) {
    writeSourceList();
    progress.step("reading Debian's package lists from " + source.mirror());
    run("package lists", aptGet("update"), () -> {});
    List<String> install = aptGet("install", "--no-install-recommends");
    install.addAll(wanted);
    long total = downloadSize(install);
    progress.step("downloading MySQL and its libraries, " + (total >> 20) + " MB");
    List<String> download = new ArrayList<>(install);
    download.addAll(List.of("-y", "--download-only"));
    run("packages", download, () -> progress.bytes(downloaded(total), total));
    progress.bytes(total, total);
    progress.step("unpacking");
    unpack(root);
  }

  private void writeSourceList() {
    FileTrees.createDirectories(work.resolve("lists/partial"));
    FileTrees.createDirectories(archives().resolve("partial"));
    try {
      Files.writeString(
          work.resolve("sources.list"),
          "deb [signed-by=" + source.keyring() + "] " + source.mirror() + " sid main\n");
    } catch (IOException e) {
      throw FileTrees.failure("write", work, e);
    }
  }

  private List<String> aptGet(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(source.aptGet().toString());
    command.add("-qq");
    command.add("-oDir::Etc::sourcelist=" + work.resolve("sources.list"));
    command.add("-oDir::Etc::sourceparts=/dev/null");
    command.add("-oDir::Etc::preferences=/dev/null");
    command.add("-oDir::Etc::preferencesparts=/dev/null");
    command.add("-oDir::State::Lists=" + work.resolve("lists"));
    command.add("-oDir::State::status=/dev/null");
    command.add("-oDir::Cache=" + work.resolve("cache"));
    command.add("-oDebug::NoLocking=1");
    command.add("-oAPT::Sandbox::User=");
    command.add("-oAPT::Update::Error-Mode=any"); // else a dead mirror is a mere warning
    command.add("-oAcquire::Languages=none");
    command.add("-oAcquire::Retries=2");
    command.addAll(List.of(arguments));
    return command;
  }

  private long downloadSize(List<String> install) {
    List<String> print = new ArrayList<>(install);
    print.addAll(List.of("-y", "--print-uris"));
    long total =
        run("packages", print, () -> {})
            .output()
            .lines()
            .map(PACKAGE_LINE::matcher)
            .filter(Matcher::find)
            .mapToLong(line -> Long.parseLong(line.group(1)))
            .sum();
    return Math.max(1, total);
  }

  private CommandRun run(String what, List<String> command, Runnable meanwhile) {
    CommandRun run = CommandRun.of(command, BOUND, meanwhile);
    if (run.exitCode() == 0) {
      return run;
    }
    String said = run.tail(6);
    if (said.contains("No space left on device") || said.contains("enough free space")) {
      throw new MysqldException(
          Reason.DISK_FULL, "the disk is full: MySQL's " + what + " do not fit below " + work);
    }
    throw new MysqldException(
        Reason.FETCH_FAILED,
        "MySQL's "
            + what
            + " could not be fetched from "
            + source.mirror()
            + "; is there a network, or a proxy that apt does not know? ALRAI_DEBIAN_MIRROR names"
            + " another mirror, ALRAI_MYSQLD an installed server. It said:\n"
            + said);
  }

  /** Never less than before, though files are renamed while they are counted. */
  private long downloaded(long total) {
    mostSeen = Math.max(mostSeen, Math.min(total, countDownloaded()));
    return mostSeen;
  }

  private long countDownloaded() {
    try (Stream<Path> files = Files.walk(archives())) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException | UncheckedIOException e) {
      return 0; // apt-get has renamed one meanwhile: the next look counts it
    }
  }

  private Path archives() {
    return work.resolve("cache/archives");
  }

  private void unpack(Path root) {
    FileTrees.createDirectories(root);
    try (Stream<Path> files = Files.list(archives())) {
      for (Path file : files.filter(name -> name.toString().endsWith(".deb")).sorted().toList()) {
        if (!NOT_UNPACKED.matcher(String.valueOf(file.getFileName())).matches()) {
          run("package " + file.getFileName(), unpackCommand(file, root), () -> {});
        }
      }
    } catch (IOException e) {
      throw FileTrees.failure("unpack to", root, e);
    }
  }

  private List<String> unpackCommand(Path file, Path root) {
    return List.of(source.dpkgDeb().toString(), "-x", file.toString(), root.toString());
  }
}
